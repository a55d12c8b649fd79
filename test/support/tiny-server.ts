import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { listenForTest } from "./listen-for-test.ts";
import { SERVER_TLS } from "./tls-fixtures.ts";

/** Answers one request. */
export type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** A real server on this machine: its address, and what it was asked, path and query. It is gone after the test. */
export interface TinyServer {
  readonly url: string;
  readonly asked: readonly string[];
  /** Breaks all connections, as a proxy or a network does. */
  breakConnections(): void;
}

/** What a server with `tls` shows who it is with. */
export { SERVER_TLS };

/** Starts a server; for answers that nock cannot give, because they go on, stall or break. With `tls`, which secrets need. */
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
