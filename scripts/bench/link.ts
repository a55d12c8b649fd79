import { connect, createServer, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { listenOnFreePort } from "../../test/support/free-port.ts";

/** A link to a server that is far away. */
export interface Link {
  /** The address of the near end. */
  readonly url: string;
  close(): void;
}

/**
 * Starts a TCP proxy in front of `url` that delays each direction by half of `roundTripMs`, and the start of a connection
 * by all of it, as a TCP handshake takes.
 */
export async function startLink(url: string, roundTripMs: number): Promise<Link> {
  const { protocol, port } = new URL(url);
  const server = createServer({ pauseOnConnect: true, noDelay: true }, async (near) => {
    near.on("error", () => {});
    await sleep(roundTripMs);
    const far = connect({ port: Number(port), host: "127.0.0.1", noDelay: true });
    carry(near, far, roundTripMs / 2);
    carry(far, near, roundTripMs / 2);
  });
  const address = await listenOnFreePort(server);
  return { url: `${protocol}//${address}`, close: () => void server.close() };
}

function carry(from: Socket, to: Socket, delayMs: number): void {
  from.on("data", (bytes) => void setTimeout(() => to.destroyed || to.write(bytes), delayMs));
  from.on("error", () => to.destroy());
  from.on("close", () => void setTimeout(() => to.destroy(), delayMs));
  from.resume();
}
