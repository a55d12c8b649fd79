import { getEventListeners } from "node:events";
import type { Socket } from "node:net";
import { setTimeout as passes } from "node:timers/promises";
import { expect, it } from "vitest";
import { connect } from "../../src/cluster/api/connect.ts";
import { realTimers, type Timers } from "../../src/cluster/connection/timers.ts";
import { watchObjects } from "../../src/cluster/watch/watch-objects.ts";
import { writeKubeconfig } from "../support/kubeconfig.ts";
import { type Answer, tinyServer } from "../support/tiny-server.ts";
import { CERTIFICATE } from "../support/tls-fixtures.ts";

const BOOKMARK = '{"type":"BOOKMARK","object":{"metadata":{"resourceVersion":"7"}}}\n';
const GONE = '{"type":"ERROR","object":{"code":410,"message":"too old resource version"}}\n';

const FAULTS: readonly Answer[] = [
  (_, response) => void response.end(BOOKMARK),
  (_, response) => void response.writeHead(500).end("{}"),
  (_, response) => void response.writeHead(429, { "Retry-After": "1" }).end("{}"),
  (_, response) => void response.end(GONE),
  (_, response) => void response.end('{"type":"MODIFIED","object":{"meta'),
  (_, response) => {
    response.write(`${BOOKMARK}{"type":"MOD`);
    setTimeout(() => response.destroy(), 1);
  },
  (request) => void request.socket.destroy(),
];

function hasty(): Timers {
  const { random } = realTimers(Date.now);
  const after = (ms: number, run: () => void): (() => void) => {
    const timer = setTimeout(run, ms / 1000);
    return () => clearTimeout(timer);
  };
  return { nowMs: () => performance.now() * 1000, after, random };
}

it.each([
  { how: "over TLS", tls: true },
  { how: "without TLS", tls: false },
])(
  "leaves no socket, timer or listener behind, after a hundred watches that a server broke off, $how",
  async ({ tls }) => {
    const sockets = new Set<Socket>();
    let watches = 0;
    const { url } = await tinyServer(
      (request, response) => {
        sockets.add(request.socket);
        const isWatch = request.url?.includes("watch=true") === true;
        if (!isWatch) response.end('{"metadata":{"resourceVersion":"5"},"items":[]}');
        else if (watches >= 100) response.write(BOOKMARK);
        else FAULTS[watches++ % FAULTS.length]?.(request, response);
      },
      { tls },
    );
    const open = (): number => [...sockets].filter(({ destroyed }) => !destroyed).length;
    const connection = connect({
      kubeconfig: writeKubeconfig({ server: url, "certificate-authority": CERTIFICATE.file }, {}),
      env: {},
    });
    const ending = new AbortController();
    const before = process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
    const losses: unknown[] = [];
    const handler = {
      listed: () => {},
      changed: () => {},
      deleted: () => {},
      connectionChanged: (failure: Error | null) => void (failure !== null && losses.push(failure)),
    };
    const source = { path: "/api/v1/namespaces/prod/pods", fieldSelector: "metadata.name=web-0" };
    const watching = watchObjects({ connection, timers: hasty(), signal: ending.signal }, source, handler);
    while (watches < 100) await passes(20);
    await expect.poll(open).toBeLessThanOrEqual(2);
    expect(losses.length).toBeGreaterThan(50);
    expect(getEventListeners(ending.signal, "abort").length).toBeLessThanOrEqual(3);
    ending.abort();
    await watching;
    connection.close();
    await expect.poll(open).toBe(0);
    const timers = process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
    expect(timers).toBeLessThanOrEqual(before + 2);
    expect(getEventListeners(ending.signal, "abort")).toEqual([]);
  },
);
