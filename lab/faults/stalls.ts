import { readFileSync } from "node:fs";
import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { BREAK_POINTS } from "../api-server/broken-answers.ts";
import { type FaultCase, MAIN_COMMANDS, MIDDLE_MS, pluginOf, SHORT_MS } from "./case.ts";
import { type FaultLab, SCHEMES } from "./lab.ts";
import { fails } from "./outcome.ts";

const LATE = fails(/^Error: No answer from the API server .+ within 0\.15s\./, "no answer within --request-timeout");

const base = { fault: "stall", asked: MAIN_COMMANDS, timeoutMs: SHORT_MS, outcome: LATE } as const;

const onTheWay: readonly FaultCase[] = [
  {
    ...base,
    variant: "after the connection is accepted",
    arrange: async (lab) => lab.connectToAddress(await lab.tcp(() => {})),
  },
  ...[1, 60, 500].map((bytes) => ({
    ...base,
    variant: `in the TLS handshake, after ${bytes} bytes of the server's`,
    arrange: async (lab: FaultLab) => {
      const { url } = await lab.simulator();
      await lab.connectByLink(url, { bytes: () => bytes, end: () => {} });
    },
  })),
  ...BREAK_POINTS.map((at) => ({
    ...base,
    variant: at,
    arrange: async (lab: FaultLab) => (await lab.simulator()).fail({ path: "/api", fault: { at, end: "stall" } }),
  })),
  ...SCHEMES.flatMap((scheme) =>
    ["", "Content-Length: 100000\r\n"].map((length) => ({
      ...base,
      variant: `a byte now and then, ${scheme}, ${length === "" ? "without a length" : "of a known length"}`,
      arrange: async (lab: FaultLab) => {
        const drip = (client: Socket): void => {
          const timer = setInterval(() => client.write(" "), 20);
          client.write(`HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n${length}\r\n`);
          client.on("close", () => clearInterval(timer));
        };
        await lab.connectToRaw(scheme, drip);
      },
    })),
  ),
];

function viaProxy(variant: string, onConnection: (client: Socket) => void, outcome = LATE): FaultCase {
  return {
    ...base,
    fault: outcome === LATE ? "stall" : "proxy that gives no way through",
    variant,
    outcome,
    timeoutMs: outcome === LATE ? SHORT_MS : MIDDLE_MS,
    asked: ["explain", "list"],
    arrange: async (lab) => {
      const { cluster } = await lab.simulator();
      lab.writeKubeconfig({ ...cluster, "proxy-url": `http://${await lab.tcp(onConnection)}` });
    },
  };
}

function saying(text: string, end = false): (client: Socket) => void {
  return (client) => void client.once("data", () => (end ? client.end(text) : client.write(text)));
}

function plainly(client: Socket): void {
  client.once("data", () => {
    client.write("HTTP/1.1 200 OK\r\n\r\n");
    client.once("data", () => client.end("HTTP/1.1 400 Bad Request\r\n\r\n"));
  });
}

const UNREACHABLE = fails(/^Error: Can't (reach the API server|read the answer of)/, "cannot reach it, and why");

const proxies: readonly FaultCase[] = [
  viaProxy("a proxy that accepts and is silent", () => {}),
  viaProxy("a proxy that says half of its yes", saying("HTTP/1.1 200 Conn")),
  viaProxy("a tunnel in which nothing comes", saying("HTTP/1.1 200 OK\r\n\r\n")),
  viaProxy("407", saying("HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n"), UNREACHABLE),
  viaProxy("403 and a page", saying("HTTP/1.1 403 Forbidden\r\n\r\n<html>no</html>", true), UNREACHABLE),
  viaProxy("502", saying("HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n", true), UNREACHABLE),
  viaProxy("closed without a word", (client) => client.end(), UNREACHABLE),
  viaProxy("closed after it is asked", saying("", true), UNREACHABLE),
  viaProxy("a tunnel that is closed", saying("HTTP/1.1 200 OK\r\n\r\n", true), UNREACHABLE),
  viaProxy("no HTTP", saying("SSH-2.0-OpenSSH_9.2\r\n", true), UNREACHABLE),
  viaProxy("no TLS in the tunnel", plainly, UNREACHABLE),
];

const plugin: FaultCase = {
  ...base,
  variant: "in the credential plugin, which is then ended",
  timeoutMs: MIDDLE_MS,
  outcome: fails(
    /^Error: Can't get the credentials of context "test": there are none after 3s\./,
    "no credentials within --request-timeout",
  ),
  arrange: async (lab) => {
    const { cluster } = await lab.simulator();
    const pid = lab.path("pid");
    lab.writeKubeconfig(cluster, pluginOf(`echo $$ >'${pid}'; exec sleep 30`));
    return async () => {
      for (let look = 0; look < 100 && isAlive(pid); look++) await sleep(20);
      return isAlive(pid) ? ["the plugin goes on"] : [];
    };
  },
};

function isAlive(file: string): boolean {
  try {
    const pid = Number(readFileSync(file, "utf8"));
    return pid > 0 && process.kill(pid, 0);
  } catch {
    return false;
  }
}

export const STALL_FAULTS: readonly FaultCase[] = [...onTheWay, ...proxies, plugin];
