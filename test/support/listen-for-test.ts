import { Server as HttpServer } from "node:http";
import { Server as HttpsServer } from "node:https";
import type { Server } from "node:net";
import { onTestFinished } from "vitest";
import { listenOnFreePort } from "./free-port.ts";

/** Listens on a free port until the test ends; then breaks open HTTP connections. */
export async function listenForTest(server: Server): Promise<string> {
  const address = await listenOnFreePort(server);
  onTestFinished(() => {
    if (server instanceof HttpServer || server instanceof HttpsServer) server.closeAllConnections();
    server.close();
  });
  return address;
}
