import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** Answers one request. */
export type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** A real server on this machine: its address, and what it was asked, path and query. It is gone after the test. */
export interface TinyServer {
  readonly url: string;
  readonly asked: readonly string[];
  /** Breaks all connections, as a proxy or a network does. */
  breakConnections(): void;
}

/** What the servers of tests show who they are with: a certificate for localhost and 127.0.0.1, by itself. */
export const SERVER_TLS = {
  cert: readFileSync(new URL("../fixtures/tls/cert.pem", import.meta.url)),
  key: readFileSync(new URL("../fixtures/tls/key.pem", import.meta.url)),
} as const;

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
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `${tls ? "https" : "http"}://127.0.0.1:${port}`,
    asked,
    breakConnections: () => server.closeAllConnections(),
  };
}
