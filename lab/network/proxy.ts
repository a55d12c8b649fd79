import { createServer, type RequestListener } from "node:http";
import { connect, createServer as createSocketServer, type Socket } from "node:net";
import { listenOnFreePort } from "./free-port.ts";
import { runningServer } from "./http-server.ts";

/** An HTTP proxy that ignores the requested host: all tunnels lead to the same server. */
export interface HttpProxy {
  /** host:port. */
  readonly address: string;
  /**
   * "host:port" of each CONNECT, with the Proxy-Authorization header if there was any; method and URL of each other
   * request.
   */
  readonly asked: string[];
  close(): Promise<void>;
}

/**
 * Refuses the user "refused" with 407, and quotes the credentials in the refusal. `onRequest` answers requests other
 * than CONNECT; by default with 501.
 */
export async function startProxy(
  target: string,
  onRequest: RequestListener = (_, response) => response.writeHead(501).end(),
): Promise<HttpProxy> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    onRequest(request, response);
  });
  server.on("connect", (request, client: Socket) => {
    const said = request.headers["proxy-authorization"] ?? "";
    asked.push([request.url, said].filter(Boolean).join(" "));
    const credentials = Buffer.from(said.replace(/^Basic /, ""), "base64").toString("utf8");
    client.on("error", () => client.destroy());
    if (credentials.startsWith("refused:"))
      return client.end(`HTTP/1.1 407 no ${credentials}\r\nX-Said: ${said}\r\n\r\n${credentials}`);
    tunnel(client, target, "HTTP/1.1 200 Connection established\r\n\r\n");
    return undefined;
  });
  const { close } = runningServer(server);
  return { address: await listenOnFreePort(server), asked, close };
}

/** A socks5 proxy without passwords. All its connections end at `target`, whatever address the client asks for. */
export async function startSocksProxy(target: string): Promise<Pick<HttpProxy, "address" | "close">> {
  const server = createSocketServer((client) => {
    client.on("error", () => {});
    client.once("data", () => {
      client.write(Buffer.from([5, 0]));
      client.once("data", () => tunnel(client, target, Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0])));
    });
  });
  const { close } = runningServer(server);
  return { address: await listenOnFreePort(server), close };
}

/** Connects `client` to the port of `target`, and sends it `greeting` first. */
function tunnel(client: Socket, target: string, greeting: string | Buffer): void {
  const upstream = connect(Number(new URL(target).port), "127.0.0.1", () => {
    client.write(greeting);
    client.pipe(upstream).pipe(client);
  });
  upstream.on("error", () => client.destroy());
  client.on("close", () => upstream.destroySoon());
}
