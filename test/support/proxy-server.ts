import { connect, createServer } from "node:net";
import { onTestFinished } from "vitest";
import { type Tunnel, tunnelTo } from "../../lab/secrets/tunnel.ts";
import { listenForTest } from "./listen-for-test.ts";

/** Starts a proxy whose tunnels all end at `target`, whatever they were asked for. It is gone after the test. */
export async function proxyServer(target: string): Promise<Tunnel> {
  const tunnel = await tunnelTo(target);
  onTestFinished(tunnel.close);
  return tunnel;
}

/** Starts a socks5 proxy without passwords whose connections all end at `target`: its address. It is gone after the test. */
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
