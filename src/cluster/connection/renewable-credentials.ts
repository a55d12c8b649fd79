import { textOf } from "../objects/json-access.ts";
import type { Headers } from "./http.ts";
import { RequestFailure } from "./request-failure.ts";
import type { ServerConnections } from "./server-connections.ts";

export interface Credentials {
  readonly headers: Headers;
  /** A text of the certificates and the key. Credentials with the same text use the same connections. */
  readonly certificates: string;
  readonly connections: ServerConnections;
  /** When to renew the credentials; null for only after a 401. */
  readonly expiresAtMs: number | null;
  /** Whether all come from the kubeconfig, and some of them from files, which may change while the program runs. */
  readonly isFromFiles: boolean;
}

/**
 * When to read the files again: after a minute less 10 s, as `NewCachedFileTokenSource` (client-go v0.37.1,
 * transport/token_source.go). client-go reads certificates only every 5 minutes (cert_rotation.go).
 */
const FILE_AGE_MS = 50_000;

/** The credentials that all requests of a run share, so that a credential plugin runs again only when they expire. */
export class RenewableCredentials {
  readonly #get: () => Promise<Credentials>;
  readonly #nowMs: () => number;
  /** Also those with earlier certificates, on which streams may still be open. */
  readonly #connections = new Set<ServerConnections>();
  #newest: Promise<Credentials> | null = null;

  constructor(get: () => Promise<Credentials>, nowMs: () => number) {
    this.#get = get;
    this.#nowMs = nowMs;
  }

  /** Renews credentials that have expired. After a 401, also renews them, and sends again if they have changed. */
  async send<T>(request: (credentials: Credentials) => Promise<T>): Promise<T> {
    this.#newest ??= this.#obtain(null);
    let sent = this.#newest;
    const { expiresAtMs } = await sent;
    if (expiresAtMs !== null && this.#nowMs() > expiresAtMs) sent = this.#renewed(sent);
    const used = await sent;
    try {
      return await inConfidence(request, used);
    } catch (error) {
      if (!(error instanceof RequestFailure && error.kind === "unauthorized")) throw error;
      const fresh = await this.#renewed(sent);
      const hasSameHeaders = JSON.stringify(fresh.headers) === JSON.stringify(used.headers);
      if (hasSameHeaders && fresh.connections === used.connections) throw error;
      return inConfidence(request, fresh);
    }
  }

  close(): void {
    for (const connections of this.#connections) connections.close();
  }

  /** Renews the credentials that a request has used, unless another request has already caused that. */
  #renewed(used: Promise<Credentials>): Promise<Credentials> {
    if (this.#newest === null || this.#newest === used) this.#newest = used.then((former) => this.#obtain(former));
    return this.#newest;
  }

  async #obtain(former: Credentials | null): Promise<Credentials> {
    const filesAgeAtMs = this.#nowMs() + FILE_AGE_MS;
    try {
      const fresh = await this.#get();
      const { connections } = former?.certificates === fresh.certificates ? former : fresh;
      if (connections !== former?.connections) former?.connections.retire();
      this.#connections.add(connections);
      return { ...fresh, connections, expiresAtMs: fresh.isFromFiles ? filesAgeAtMs : fresh.expiresAtMs };
    } catch (error) {
      // A file may be missing while another program writes it; but a plugin that gives nothing has refused.
      if (former?.isFromFiles === true) return { ...former, expiresAtMs: filesAgeAtMs };
      former?.connections.retire();
      this.#newest = null;
      throw error;
    }
  }
}

/** Removes the token or password from a RequestFailure's message, because a server or proxy may quote it. */
async function inConfidence<T>(request: (sent: Credentials) => Promise<T>, credentials: Credentials): Promise<T> {
  try {
    return await request(credentials);
  } catch (error) {
    if (error instanceof RequestFailure)
      for (const secret of secretsIn(credentials.headers)) error.message = error.message.replaceAll(secret, "***");
    throw error;
  }
}

function secretsIn(headers: Headers): string[] {
  const [, kind, secret = ""] = /^(Bearer|Basic) (.+)$/s.exec(textOf(headers["Authorization"]) ?? "") ?? [];
  const password = kind === "Basic" ? Buffer.from(secret, "base64").toString("utf8").replace(/^.*?:/s, "") : "";
  return [secret, password].filter((known) => known !== "");
}
