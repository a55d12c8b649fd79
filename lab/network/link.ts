import { connect, createServer, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { listenOnFreePort } from "../../test/support/free-port.ts";

/** A link to a server. */
export interface Link {
  /** The address of the near end. */
  readonly url: string;
  /** Breaks all connections, and each new one. */
  cut(): void;
  /** Lets nothing pass any more on all connections; accepts new ones. */
  stall(): void;
  /** Passes everything again, also what was held back. */
  mend(): void;
  close(): void;
}

/**
 * Starts a TCP proxy in front of `target`, a URL. It delays each direction by half of `roundTripMs`, and the start of a
 * connection by all of it, as a TCP handshake takes.
 */
export async function startLink(target: string, roundTripMs = 0): Promise<Link> {
  let state: "open" | "cut" | "stalled" = "open";
  const sockets = new Set<Socket>();
  const { protocol, port } = new URL(target);
  const carry = (from: Socket, to: Socket): void => {
    sockets.add(from);
    from.on("data", (bytes) => later(() => to.destroyed || to.write(bytes), roundTripMs / 2));
    from.on("error", () => to.destroy());
    from.on("close", () => {
      sockets.delete(from);
      later(() => to.destroy(), roundTripMs / 2);
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
    carry(far, near);
  });
  const change = (to: typeof state, act: (socket: Socket) => void): void => {
    state = to;
    for (const socket of [...sockets]) act(socket);
  };
  return {
    url: `${protocol}//${await listenOnFreePort(server)}`,
    cut: () => change("cut", (socket) => socket.resetAndDestroy()),
    stall: () => change("stalled", (socket) => socket.pause()),
    mend: () => change("open", (socket) => socket.resume()),
    close: () => {
      change("cut", (socket) => socket.destroy());
      server.close();
    },
  };
}

function later(act: () => unknown, delayMs: number): void {
  if (delayMs === 0) act();
  else setTimeout(act, delayMs);
}
