import type { Server } from "node:net";
import { onTestFinished } from "vitest";
import { listenOnFreePort } from "./free-port.ts";

export async function listenForTest(server: Server): Promise<string> {
  const address = await listenOnFreePort(server);
  onTestFinished(() => void server.close());
  return address;
}
