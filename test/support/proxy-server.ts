import { connect, createServer } from "node:net";
import { onTestFinished } from "vitest";
import { type HttpProxy, startProxy } from "../../lab/network/proxy.ts";
import { listenForTest } from "./listen-for-test.ts";

export async function proxyServer(target: string): Promise<HttpProxy> {
  const proxy = await startProxy(target);
  onTestFinished(proxy.close);
  return proxy;
}

/** A socks5 proxy without passwords. Its connections end at `target`, whatever address the client asks for. */
export async function socksServer(target: string): Promise<string> {
  const server = createServer((client) => {
    client.on("error", () => {});
    onTestFinished(() => void client.destroy());
    client.once("data", () => {
      client.write(Buffer.from([5, 0]));
      client.once("data", () => {
        const upstream = connect(Number(new URL(target).port), "127.0.0.1", () => {
          client.write(Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]));
          client.pipe(upstream).pipe(client);
        });
        upstream.on("error", () => client.destroy());
      });
    });
  });
  return `socks5://${await listenForTest(server)}`;
}
