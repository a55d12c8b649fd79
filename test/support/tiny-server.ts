import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { listenForTest } from "./listen-for-test.ts";
import { SERVER_TLS } from "./tls-fixtures.ts";

export type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** An HTTP server on this machine that ends with the test. `asked` has path and query of each request. */
interface TinyServer {
  readonly url: string;
  readonly asked: readonly string[];
  breakConnections(): void;
}

/** The certificate and the key of a server with `tls`. */
export { SERVER_TLS };

/** Starts a server for answers that nock cannot give: they go on, stall or break. The program sends secrets only with `tls`. */
export async function tinyServer(
  answer: Answer,
  { tls = false, asksForCertificate = false } = {},
): Promise<TinyServer> {
  const asked: string[] = [];
  const listener: Answer = (request, response) => {
    asked.push(request.url ?? "");
    answer(request, response);
  };
  const server = tls
    ? createTlsServer({ ...SERVER_TLS, requestCert: asksForCertificate, rejectUnauthorized: false }, listener)
    : createServer(listener);
  const address = await listenForTest(server);
  return {
    url: `${tls ? "https" : "http"}://${address}`,
    asked,
    breakConnections: () => server.closeAllConnections(),
  };
}

/** A server with TLS that counts its connections: made so far, open now, and most open at the same time. */
interface CountingServer extends TinyServer {
  readonly counts: { made: number; open: number; most: number };
}

export async function countingServer(answer: Answer, { asksForCertificate = false } = {}): Promise<CountingServer> {
  const counts = { made: 0, open: 0, most: 0 };
  const known = new WeakSet<object>();
  const count = ({ socket }: IncomingMessage): void => {
    if (known.has(socket)) return;
    known.add(socket);
    counts.made++;
    counts.most = Math.max(counts.most, ++counts.open);
    socket.once("close", () => counts.open--);
  };
  const counting: Answer = (request, response) => {
    count(request);
    answer(request, response);
  };
  return { ...(await tinyServer(counting, { tls: true, asksForCertificate })), counts };
}
