import type { Server as HttpServer, RequestListener } from "node:http";
import { createSecureServer } from "node:http2";
import { createServer } from "node:https";
import type { Server, Socket } from "node:net";
import type { TlsOptions } from "node:tls";

/** "h2": HTTP/2 for clients that speak it, HTTP/1.1 for the others, as API servers do. */
export type Protocol = "h2" | "http/1.1";

export interface SecureServer {
  readonly server: Server;
  /** The open connections, also those that are still in the handshake. */
  readonly sockets: ReadonlySet<Socket>;
  close(): Promise<void>;
}

/** In MB. The default would refuse answers to a client that reads slowly. */
const SESSION_MEMORY = 4_000;

/** Makes a server with TLS that answers requests of both protocols with the same listener. */
export function secureServer(
  tls: TlsOptions,
  listener: RequestListener,
  { protocol = "h2", maxStreams = 250 }: { readonly protocol?: Protocol; readonly maxStreams?: number } = {},
): SecureServer {
  const settings = { maxConcurrentStreams: maxStreams };
  const options = { ...tls, allowHTTP1: true, settings, maxSessionMemory: SESSION_MEMORY };
  // Requests and responses of node:http2 have the methods of those of node:http.
  const server: HttpServer =
    protocol === "h2"
      ? (createSecureServer(options, listener as never) as unknown as HttpServer)
      : createServer(tls, listener);
  server.on("sessionError", () => {});
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  return {
    server,
    sockets,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
