import { createServer } from "node:http";
import { connect } from "node:net";
import { onTestFinished } from "vitest";
import { listenForTest } from "./listen-for-test.ts";

/** A proxy on this machine that leads everywhere to the same server, and what it was asked for. */
interface ProxyServer {
  /** host:port without a scheme. */
  readonly address: string;
  /** "host:port" of each CONNECT, with the credentials if there were some. */
  readonly asked: readonly string[];
}

/** Starts a proxy whose tunnels all end at `target`, whatever they were asked for. It is gone after the test. */
export async function proxyServer(target: string): Promise<ProxyServer> {
  const asked: string[] = [];
  const server = createServer((_, response) => response.writeHead(501).end());
  server.on("connect", (request, client) => {
    asked.push([request.url, request.headers["proxy-authorization"]].filter(Boolean).join(" "));
    const upstream = connect(Number(new URL(target).port), "127.0.0.1", () => {
      client.write("HTTP/1.1 200 Connection established\r\n\r\n");
      client.pipe(upstream).pipe(client);
    });
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const)
      socket.on("error", () => other.destroy());
    onTestFinished(() => void client.destroy());
  });
  return { address: await listenForTest(server), asked };
}
