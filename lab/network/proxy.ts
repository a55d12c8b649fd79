import { createServer, type RequestListener } from "node:http";
import { connect, type Socket } from "node:net";
import { listenOnFreePort } from "../../test/support/free-port.ts";

/** An HTTP proxy that ignores the requested host: all tunnels lead to the same server. */
export interface HttpProxy {
  /** host:port. */
  readonly address: string;
  /**
   * "host:port" of each CONNECT, with the Proxy-Authorization header if there was any; method and URL of each other
   * request.
   */
  readonly asked: string[];
  close(): void;
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
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    onRequest(request, response);
  });
  server.on("connect", (request, client: Socket) => {
    const said = request.headers["proxy-authorization"] ?? "";
    asked.push([request.url, said].filter(Boolean).join(" "));
    const credentials = Buffer.from(said.replace(/^Basic /, ""), "base64").toString("utf8");
    client.on("error", () => client.destroy());
    sockets.add(client);
    if (credentials.startsWith("refused:"))
      return client.end(`HTTP/1.1 407 no ${credentials}\r\nX-Said: ${said}\r\n\r\n${credentials}`);
    const upstream = connect(Number(new URL(target).port), "127.0.0.1", () => {
      client.write("HTTP/1.1 200 Connection established\r\n\r\n");
      client.pipe(upstream).pipe(client);
    });
    sockets.add(upstream);
    upstream.on("error", () => client.destroy());
    return undefined;
  });
  const address = await listenOnFreePort(server);
  const close = (): void => {
    server.closeAllConnections();
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  return { address, asked, close };
}
