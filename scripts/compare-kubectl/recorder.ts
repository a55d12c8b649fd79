import { readFileSync } from "node:fs";
import type { IncomingMessage, RequestListener } from "node:http";
import type { TLSSocket, Server as TlsServer } from "node:tls";
import { DISCOVERY } from "../../lab/api-server/answer.ts";
import { listenOnFreePort } from "../../lab/network/free-port.ts";
import { httpServer } from "../../lab/network/http-server.ts";
import { startProxy } from "../../lab/network/proxy.ts";
import { formOfLogin, PROVIDER } from "./logins.ts";

/** For this server name, the recorder shows a certificate of an intermediate authority. */
export const CHAINED = "chained.example";

interface Sent {
  readonly path: string;
  readonly scheme: "http" | "https";
  /** The headers Authorization and Impersonate-…, as sorted lines; names in lower case. */
  readonly headers: readonly string[];
  /** Null on the way to this machine, where kubectl backoff avoids compression. */
  readonly isCompressionAccepted: boolean | null;
  /** The name that the client sent in the TLS handshake; null if it sent none. */
  readonly serverName: string | null;
  readonly clientCertificate: string | null;
}

export interface Recording {
  readonly pod: Sent | null;
  /** The first request to the proxy: the address and the credentials of a CONNECT, or the method and the URL. */
  readonly proxied: string | null;
  readonly logins: readonly string[];
}

export class Recorder {
  #pod: Sent | null = null;
  #proxied: string[] = [];
  readonly #logins = new Set<string>();
  readonly #closing: (() => unknown)[] = [];

  async start(): Promise<{ https: number; http: number; proxy: number }> {
    const file = (name: string): Buffer => readFileSync(new URL(`../../test/fixtures/tls/${name}`, import.meta.url));
    const tls = { cert: file("cert.pem"), key: file("key.pem"), requestCert: true, rejectUnauthorized: false };
    const answer: RequestListener = async (request, response) => {
      if (request.url?.startsWith(PROVIDER)) {
        const login = await formOfLogin(request, response);
        if (login !== null) this.#logins.add(login);
        return;
      }
      if (/\/pods\/web-0$/.test(pathOf(request))) this.#pod ??= sentIn(request);
      response.setHeader("Content-Type", "application/json");
      response.end(JSON.stringify(answerTo(pathOf(request))));
    };
    const secure = httpServer(tls, answer);
    (secure.server as TlsServer).addContext(CHAINED, { ...tls, cert: file("chained.pem") });
    const plain = httpServer(null, answer);
    const [https, http] = [await listenOnFreePort(secure.server), await listenOnFreePort(plain.server)];
    const proxy = await startProxy(`https://${https}`, (request, response) => {
      response.setHeader("Content-Type", "application/json");
      response.end(JSON.stringify(answerTo(new URL(request.url ?? "").pathname)));
    });
    this.#proxied = proxy.asked;
    this.#closing.push(secure.close, proxy.close, plain.close);
    return { https: portOf(https), http: portOf(http), proxy: portOf(proxy.address) };
  }

  take(): Recording {
    const [proxied = null] = this.#proxied.splice(0);
    const recording = { pod: this.#pod, proxied: proxied?.split("?", 1)[0] ?? null, logins: [...this.#logins] };
    this.#logins.clear();
    this.#pod = null;
    return recording;
  }

  stop(): void {
    for (const close of this.#closing) close();
  }
}

function portOf(address: string): number {
  return Number(address.split(":")[1]);
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

/** The pod web-0 is in every namespace. The answer to /version names no version. */
function answerTo(path: string): object {
  const root = path.replace(/^\/prefix/, "");
  const discovery = root === "/version" ? undefined : DISCOVERY[root];
  if (discovery !== undefined) return discovery;
  if (/\/pods\/web-0$/.test(root)) return { apiVersion: "v1", kind: "Pod", metadata: { name: "web-0", uid: "u" } };
  return { kind: "List", apiVersion: "v1", metadata: {}, items: [] };
}
