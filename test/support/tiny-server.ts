import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
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

/** Starts a server; for answers that nock cannot give, because they go on, stall or break. */
export async function tinyServer(answer: Answer): Promise<TinyServer> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? "");
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, asked, breakConnections: () => server.closeAllConnections() };
}
