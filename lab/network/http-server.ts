import { createServer as createPlainServer, type Server as HttpServer, type RequestListener } from "node:http";
import { createSecureServer } from "node:http2";
import { createServer } from "node:https";
import type { Server, Socket } from "node:net";
import type { TlsOptions } from "node:tls";

/** "h2": HTTP/2 for clients that speak it, HTTP/1.1 for the others. */
export type Protocol = "h2" | "http/1.1";

export interface RunningServer {
  readonly server: Server;
  /** Includes connections that are still in the TLS handshake. */
  readonly sockets: ReadonlySet<Socket>;
  breakConnections(): void;
  close(): Promise<void>;
}

export interface ServerOptions {
  /** By default "h2". Without TLS, all clients speak HTTP/1.1. */
  readonly protocol?: Protocol;
  readonly maxStreams?: number;
}

/** In MB. At the default of Node.js, the server could refuse requests of a client that reads slowly. */
const SESSION_MEMORY = 4_000;

export function httpServer(
  tls: TlsOptions | null,
  listener: RequestListener,
  options: ServerOptions = {},
): RunningServer {
  return runningServer(tls === null ? createPlainServer(listener) : secureServer(tls, listener, options));
}

/** `server` must not have connections yet. */
export function runningServer(server: Server): RunningServer {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  const breakConnections = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      breakConnections();
    });
  return { server, sockets, breakConnections, close };
}

function secureServer(
  tls: TlsOptions,
  listener: RequestListener,
  { protocol = "h2", maxStreams = 250 }: ServerOptions,
): HttpServer {
  if (protocol !== "h2") return createServer(tls, listener);
  const settings = { maxConcurrentStreams: maxStreams };
  const options = { ...tls, allowHTTP1: true, settings, maxSessionMemory: SESSION_MEMORY };
  // The compatibility API of node:http2 resembles node:http.
  const server = createSecureServer(options, listener as never) as unknown as HttpServer;
  server.on("sessionError", () => {});
  return server;
}
