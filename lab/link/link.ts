import { connect, createServer, type Socket } from "node:net";
import { listenOnFreePort } from "../../test/support/free-port.ts";

/** A TCP proxy to one server. */
export interface LinkLab {
  /** host:port. */
  readonly address: string;
  /** Breaks all connections, and each new one. */
  cut(): void;
  /** Lets nothing pass any more on all connections; accepts new ones. */
  stall(): void;
  /** Passes everything again, also what was held back. */
  mend(): void;
  close(): void;
}

/** `target` is the URL of the server. */
export async function startLink(target: string): Promise<LinkLab> {
  let state: "open" | "cut" | "stalled" = "open";
  const pairs = new Set<readonly [Socket, Socket]>();
  const server = createServer((client) => {
    if (state === "cut") return client.resetAndDestroy();
    const upstream = connect(Number(new URL(target).port), "127.0.0.1");
    const pair = [client, upstream] as const;
    pairs.add(pair);
    for (const [from, to] of [pair, [upstream, client] as const]) {
      from.on("data", (bytes) => to.write(bytes));
      from.on("error", () => to.destroy());
      from.on("close", () => {
        pairs.delete(pair);
        to.destroy();
      });
      if (state === "stalled") from.pause();
    }
    return undefined;
  });
  const each = (act: (socket: Socket) => void): void => {
    for (const pair of [...pairs]) for (const socket of pair) act(socket);
  };
  return {
    address: await listenOnFreePort(server),
    cut: () => {
      state = "cut";
      each((socket) => socket.resetAndDestroy());
    },
    stall: () => {
      state = "stalled";
      each((socket) => socket.pause());
    },
    mend: () => {
      state = "open";
      each((socket) => socket.resume());
    },
    close: () => {
      each((socket) => socket.destroy());
      server.close();
    },
  };
}
