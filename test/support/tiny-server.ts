import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { listenForTest } from "./listen-for-test.ts";
import { SERVER_TLS } from "./tls-fixtures.ts";

export type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** `asked`: path and query of each request. The server is gone after the test. */
interface TinyServer {
  readonly url: string;
  readonly asked: readonly string[];
  breakConnections(): void;
}

/** The certificate of a server with `tls`. */
export { SERVER_TLS };

/** For answers that nock cannot give, because they go on, stall or break. Secrets need `tls`. */
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
