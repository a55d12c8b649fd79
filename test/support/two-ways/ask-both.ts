import { setTimeout as sleep } from "node:timers/promises";
import { connect } from "../../../src/cluster/connect.ts";
import type { Connection } from "../../../src/cluster/connection.ts";
import { DirectConnections } from "../../../src/cluster/direct-connections.ts";
import { RequestFailure } from "../../../src/cluster/request-failure.ts";
import { realTimers } from "../../../src/cluster/timers.ts";
import { CERTIFICATE } from "../tls-fixtures.ts";
import { type Served, type ServedPort, serve } from "./served.ts";

/** What came of the same questions to the same server, by both ways. */
export interface BothWays {
  /** As the program asks: straight over TLS, and by Node's client what is not clear then. */
  readonly direct: readonly string[];
  /** By Node's client alone. */
  readonly node: readonly string[];
  /** How many requests the server has seen from each. */
  readonly asked: { readonly direct: number; readonly node: number };
  /** Connections that outlived their program's last word. */
  readonly leftOpen: number;
}

/** The addresses that only Node's client asks, as long as they are asked. */
const NODE_ONLY = new Set<string>();
let isInstalled = false;

/** Puts Node's client in the place of the direct way, for those addresses. */
function withNodeOnly(): void {
  if (isInstalled) return;
  isInstalled = true;
  const { get } = DirectConnections.prototype;
  DirectConnections.prototype.get = async function (this: DirectConnections, ...args) {
    return NODE_ONLY.has(new URL(args[0]).origin) ? null : get.apply(this, args);
  };
}

/** Asks a server of each kind `times` times, one question after the other; none waits longer than `patienceMs`. */
export async function askBoth(served: Served, times: number, patienceMs: number): Promise<BothWays> {
  withNodeOnly();
  const [one, other] = await Promise.all([serve(served), serve(served)]);
  NODE_ONLY.add(other.url);
  try {
    const [direct, node] = await Promise.all([ask(one, times, patienceMs), ask(other, times, patienceMs)]);
    const asked = { direct: one.asked(), node: other.asked() };
    return { direct, node, asked, leftOpen: (await leftOpen(one)) + (await leftOpen(other)) };
  } finally {
    NODE_ONLY.delete(other.url);
    one.close();
    other.close();
  }
}

async function ask({ url }: ServedPort, times: number, requestTimeoutMs: number): Promise<string[]> {
  const connection = connectionTo(url, requestTimeoutMs);
  const results: string[] = [];
  try {
    for (let time = 0; time < times; time++) {
      results.push(await told(connection));
      // What comes after an answer has come by then.
      if (time + 1 < times) await sleep(40);
    }
  } finally {
    connection.close();
  }
  return results;
}

/** A user's connection to that server, whose pauses are short. */
export function connectionTo(server: string, requestTimeoutMs: number): Connection {
  const overrides = { cluster: { server, "certificate-authority": CERTIFICATE.file }, user: { token: "secret" } };
  return connect({ overrides, env: {}, requestTimeoutMs }, SHORT_PAUSES);
}

/** Long enough to hear that a connection is closed. */
const SHORT_PAUSES = { ...realTimers(() => performance.now()), random: () => 0.5 };

/** All that a user can notice of an answer. */
async function told(connection: Connection): Promise<string> {
  try {
    const { body, serverClockMs } = await connection.get("/api", { isOptional: true, parse: (text) => text });
    return JSON.stringify({ body, serverClockMs });
  } catch (error) {
    if (!(error instanceof RequestFailure)) return `no RequestFailure: ${error}`;
    return JSON.stringify({ ...error, message: error.message });
  }
}

/** Whether all connections are closed soon, and if not, how many. */
async function leftOpen(port: ServedPort): Promise<number> {
  for (let look = 0; look < 200 && port.open() > 0; look++) await sleep(5);
  return port.open();
}
