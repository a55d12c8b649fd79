import { Server as HttpServer } from "node:http";
import { Server as HttpsServer } from "node:https";
import type { Server } from "node:net";
import { onTestFinished } from "vitest";
import { listenOnFreePort } from "./free-port.ts";

/** The same until the test is over; then the connections that HTTP has open are broken. */
export async function listenForTest(server: Server): Promise<string> {
  const address = await listenOnFreePort(server);
  onTestFinished(() => {
    if (server instanceof HttpServer || server instanceof HttpsServer) server.closeAllConnections();
    server.close();
  });
  return address;
}
