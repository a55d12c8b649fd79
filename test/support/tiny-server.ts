import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import { onTestFinished } from "vitest";
import { listenOnFreePort } from "../../lab/network/free-port.ts";
import { httpServer, type ServerOptions } from "../../lab/network/http-server.ts";
import { SERVER_TLS } from "./tls-fixtures.ts";

export type Answer = (request: IncomingMessage, response: ServerResponse) => void;

export const echo: Answer = ({ url }, response) => void response.end(JSON.stringify(url));

export interface TinyServer {
  readonly url: string;
  readonly asked: readonly string[];
  readonly versions: ReadonlySet<string>;
  /**
   * With TLS, only connections after their handshake count. `most` is the largest number that was open at the same
   * time.
   */
  readonly connections: { readonly made: number; readonly open: number; readonly most: number };
  breakConnections(): void;
}

interface TinyServerOptions extends ServerOptions {
  readonly tls?: boolean;
  readonly asksForCertificate?: boolean;
  /** Must fit the key of SERVER_TLS. By default, the certificate of SERVER_TLS. */
  readonly certificate?: Buffer;
}

/** By default, the server speaks HTTP/1.1 only. */
export async function tinyServer(
  answer: Answer,
  {
    tls = false,
    asksForCertificate = false,
    certificate = SERVER_TLS.cert,
    protocol = "http/1.1",
    ...options
  }: TinyServerOptions = {},
): Promise<TinyServer> {
  const asked: string[] = [];
  const versions = new Set<string>();
  const listener: Answer = (request, response) => {
    asked.push(request.url ?? "");
    versions.add(request.httpVersion);
    answer(request, response);
  };
  const secure = { ...SERVER_TLS, cert: certificate, requestCert: asksForCertificate, rejectUnauthorized: false };
  const { server, breakConnections, close } = httpServer(tls ? secure : null, listener, { ...options, protocol });
  onTestFinished(close);
  const connections = { made: 0, open: 0, most: 0 };
  server.on(tls ? "secureConnection" : "connection", (socket: Socket) => {
    connections.made++;
    connections.most = Math.max(connections.most, ++connections.open);
    socket.once("close", () => connections.open--);
  });
  const address = await listenOnFreePort(server);
  return { url: `${tls ? "https" : "http"}://${address}`, asked, versions, connections, breakConnections };
}

export function callerOf({ headers, socket }: IncomingMessage): string {
  const token = headers.authorization?.replace("Bearer ", "");
  return token ?? String((socket as TLSSocket).getPeerCertificate().subject?.CN ?? "nobody");
}

interface CallersServer extends TinyServer {
  readonly callers: readonly string[];
}

export async function callersServer(isRefused: (caller: string) => boolean = () => false): Promise<CallersServer> {
  const callers: string[] = [];
  const answer: Answer = (request, response) => {
    const caller = callerOf(request);
    callers.push(caller);
    response.writeHead(isRefused(caller) ? 401 : 200).end("{}");
  };
  return { ...(await tinyServer(answer, { tls: true, asksForCertificate: true })), callers };
}
