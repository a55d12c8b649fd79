import { Server as HttpServer } from "node:http";
import { Server as HttpsServer } from "node:https";
import type { Server } from "node:net";
import { onTestFinished } from "vitest";
import { listenOnFreePort } from "./free-port.ts";

/** Has a server listen on a free port until the end of the test, and returns its address as host:port. */
export async function listenForTest(server: Server): Promise<string> {
  const address = await listenOnFreePort(server);
  onTestFinished(() => {
    if (server instanceof HttpServer || server instanceof HttpsServer) server.closeAllConnections();
    server.close();
  });
  return address;
}
