import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import { type AddressInfo, connect, type Server as TcpServer } from "node:net";
import type { TLSSocket, Server as TlsServer } from "node:tls";
import { secureServer } from "../../lab/api-server/secure-server.ts";
import { answerAsProvider, PROVIDER } from "./identity-provider.ts";

/** For this server name, the recorder shows a certificate of an intermediate authority. */
export const CHAINED = "chained.example";

export interface Sent {
  /** Without the query. */
  readonly path: string;
  readonly scheme: "http" | "https";
  /** Authorization and Impersonate-…, one line each, sorted; names in lower case. */
  readonly headers: readonly string[];
  /** Null on the way to this machine: there kubectl backoff avoids compression, because it only costs time. */
  readonly isCompressionAccepted: boolean | null;
  /** From the TLS handshake; null without one. */
  readonly serverName: string | null;
  readonly clientCertificate: string | null;
}

/** Null: did not happen. */
export interface Recording {
  readonly pod: Sent | null;
  /** The address and credentials in a CONNECT to the proxy. */
  readonly proxied: string | null;
  /** Requests for tokens at the identity provider, in order, without repetitions. */
  readonly logins: readonly string[];
}

/** Records requests to an API server with TLS, to one without, and to a proxy that leads to the former. */
export class Recorder {
  #pod: Sent | null = null;
  #proxied: string | null = null;
  readonly #logins = new Set<string>();
  readonly #servers: Server[] = [];
  #closeTls: () => unknown = () => {};
  #tlsPort = 0;

  /** Returns the ports. */
  async start(): Promise<{ https: number; http: number; proxy: number }> {
    const file = (name: string): Buffer => readFileSync(new URL(`../../test/fixtures/tls/${name}`, import.meta.url));
    const tls = { cert: file("cert.pem"), key: file("key.pem"), requestCert: true, rejectUnauthorized: false };
    const answer: RequestListener = async (request, response) => {
      if (request.url?.startsWith(PROVIDER)) {
        const login = await answerAsProvider(request, response);
        if (login !== null) this.#logins.add(login);
        return;
      }
      if (/\/pods\/web-0$/.test(pathOf(request))) this.#pod ??= sentIn(request);
      response.setHeader("Content-Type", "application/json");
      response.end(JSON.stringify(answerTo(pathOf(request))));
    };
    const proxy = createServer((request, response) => {
      this.#proxied ??= `GET ${request.url?.split("?", 1)[0]}`;
      response.setHeader("Content-Type", "application/json");
      response.end(JSON.stringify(answerTo(new URL(request.url ?? "").pathname)));
    });
    proxy.on("connect", (request, client) => {
      this.#proxied ??= [request.url, request.headers["proxy-authorization"]].filter(Boolean).join(" ");
      const upstream = connect(this.#tlsPort, "127.0.0.1", () => {
        client.write("HTTP/1.1 200 Connection established\r\n\r\n");
        client.pipe(upstream).pipe(client);
      });
      for (const socket of [client, upstream]) socket.on("error", () => {});
    });
    const { server, close } = secureServer(tls, answer);
    (server as TlsServer).addContext(CHAINED, { ...tls, cert: file("chained.pem") });
    this.#closeTls = close;
    this.#tlsPort = await listenOn(server);
    return { https: this.#tlsPort, http: await this.#listen(createServer(answer)), proxy: await this.#listen(proxy) };
  }

  take(): Recording {
    const recording = { pod: this.#pod, proxied: this.#proxied, logins: [...this.#logins] };
    this.#logins.clear();
    this.#pod = null;
    this.#proxied = null;
    return recording;
  }

  stop(): void {
    this.#closeTls();
    for (const server of this.#servers) {
      server.closeAllConnections();
      server.close();
    }
  }

  async #listen(server: Server): Promise<number> {
    this.#servers.push(server);
    return listenOn(server);
  }
}

async function listenOn(server: TcpServer): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

function pathOf({ url = "" }: IncomingMessage): string {
  return url.split("?", 1)[0] ?? "";
}

function sentIn(request: IncomingMessage): Sent {
  const { socket, rawHeaders } = request;
  const lines = rawHeaders.flatMap((name, index) =>
    index % 2 === 0 && /^(authorization|impersonate-.*)$/i.test(name)
      ? [`${name.toLowerCase()}: ${rawHeaders[index + 1]}`]
      : [],
  );
  const { host, ":authority": authority } = request.headers;
  const isLocal = /^(127|localhost)/.test(String(host ?? authority));
  const tls = "getPeerCertificate" in socket ? (socket as TLSSocket & { servername?: string | false }) : null;
  return {
    path: pathOf(request),
    scheme: tls === null ? "http" : "https",
    headers: lines.sort(),
    isCompressionAccepted: isLocal ? null : /gzip/.test(String(request.headers["accept-encoding"])),
    serverName: tls?.servername || null,
    clientCertificate: String(tls?.getPeerCertificate().subject?.CN ?? "") || null,
  };
}

/** As much of an API server as both programs need to get the pod. */
function answerTo(path: string): object {
  const root = path.replace(/^\/prefix/, "");
  if (root === "/api") return { kind: "APIVersions", versions: ["v1"] };
  if (root === "/apis") return { kind: "APIGroupList", apiVersion: "v1", groups: [] };
  if (root === "/api/v1") {
    const pods = { name: "pods", singularName: "pod", namespaced: true, kind: "Pod", verbs: ["get", "list"] };
    return { kind: "APIResourceList", groupVersion: "v1", resources: [pods] };
  }
  if (/\/pods\/web-0$/.test(root)) return { apiVersion: "v1", kind: "Pod", metadata: { name: "web-0", uid: "u" } };
  return { kind: "List", apiVersion: "v1", metadata: {}, items: [] };
}
