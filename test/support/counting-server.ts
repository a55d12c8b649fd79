import type { IncomingMessage } from "node:http";
import { type Answer, type TinyServer, tinyServer } from "./tiny-server.ts";

/** A server with TLS that counts its connections: those made in all, those that are open, and the most that were at once. */
interface CountingServer extends TinyServer {
  readonly counts: { made: number; open: number; most: number };
}

/** Starts one. */
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
