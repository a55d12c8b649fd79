import { connect, createServer, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { listenOnFreePort } from "./free-port.ts";

export interface Link {
  readonly url: string;
  cut(): void;
  /** Breaks all connections and refuses new connections, as if no server were there. */
  refuse(): void;
  /** Holds back bytes, but accepts new connections. */
  stall(): void;
  /** Ends a cut, a refusal or a stall. */
  mend(): void;
  close(): void;
}

export interface LinkOptions {
  /** Bytes take half of this time in each direction. A new connection takes all of it, as a TCP handshake does. */
  readonly roundTripMs?: number;
  readonly limit?: AnswerLimit | undefined;
}

/** Passes only the first `bytes()` bytes that the server sends. Then `end` gets the client's side of the connection. */
export interface AnswerLimit {
  bytes(): number;
  end(near: Socket): void;
}

/** Connects to the port of `target` on 127.0.0.1, whatever the host of `target` is. */
export async function startLink(target: string, { roundTripMs = 0, limit }: LinkOptions = {}): Promise<Link> {
  let state: "open" | "cut" | "stalled" = "open";
  const sockets = new Set<Socket>();
  const { protocol, port } = new URL(target);
  const carry = (from: Socket, to: Socket, pass = (bytes: Buffer): unknown => to.write(bytes)): void => {
    sockets.add(from);
    from.on("data", (bytes) => later(() => to.destroyed || pass(bytes), roundTripMs / 2));
    from.on("error", () => to.destroy());
    from.on("close", () => {
      sockets.delete(from);
      later(() => to.destroySoon(), roundTripMs / 2);
    });
    if (state === "stalled") from.pause();
    else from.resume();
  };
  const server = createServer({ pauseOnConnect: true, noDelay: true }, async (near) => {
    if (state === "cut") return void near.resetAndDestroy();
    near.on("error", () => {});
    if (roundTripMs > 0) await sleep(roundTripMs);
    const far = connect({ port: Number(port), host: "127.0.0.1", noDelay: true });
    carry(near, far);
    carry(far, near, limit && limited(near, limit));
  });
  const change = (to: typeof state, act: (socket: Socket) => void): void => {
    state = to;
    for (const socket of [...sockets]) act(socket);
  };
  const address = await listenOnFreePort(server);
  return {
    url: `${protocol}//${address}`,
    cut: () => change("cut", (socket) => socket.resetAndDestroy()),
    refuse: () => {
      server.close();
      change("cut", (socket) => socket.destroy());
    },
    stall: () => change("stalled", (socket) => socket.pause()),
    mend: () => {
      if (!server.listening) server.listen(Number(address.split(":")[1]), "127.0.0.1");
      change("open", (socket) => socket.resume());
    },
    close: () => {
      change("cut", (socket) => socket.destroy());
      server.close();
    },
  };
}

function limited(near: Socket, { bytes, end }: AnswerLimit): (bytes: Buffer) => void {
  let left = bytes();
  if (left === 0) end(near);
  return (sent) => {
    if (left === 0) return;
    const passed = sent.subarray(0, left);
    left -= passed.length;
    // A reset can discard bytes that were sent before it, so the client gets time to read them.
    near.write(passed, () => left === 0 && setTimeout(() => end(near), 2));
  };
}

function later(act: () => unknown, delayMs: number): void {
  if (delayMs === 0) act();
  else setTimeout(act, delayMs);
}
