import { textOf } from "../objects/json-access.ts";
import type { Headers } from "./http.ts";
import { RequestFailure } from "./request-failure.ts";
import type { ServerConnections } from "./server-connections.ts";

export interface Credentials {
  readonly headers: Headers;
  /** A text of the certificates and the key. Credentials with the same text use the same connections. */
  readonly certificates: string;
  readonly connections: ServerConnections;
  /** When to renew the credentials; null to renew them only after a 401. */
  readonly expiresAtMs: number | null;
  /**
   * True if the credentials come from files, which may change while the program runs, and none comes from a plugin or
   * an identity provider.
   */
  readonly isFromFiles: boolean;
}

/**
 * The age at which the program reads token and certificate files again: a minute less 10 s, as
 * `NewCachedFileTokenSource` (client-go v0.37.1, transport/token_source.go). client-go reads certificates only every 5
 * minutes (cert_rotation.go).
 */
const FILE_AGE_MS = 50_000;

/**
 * The credentials of all requests of a run, so that a credential plugin runs only once. The program renews them when
 * they have expired, when files may have changed, and after a 401.
 */
export class RenewableCredentials {
  readonly #get: () => Promise<Credentials>;
  readonly #nowMs: () => number;
  /** All connections, also those with earlier certificates, on which streams may still be open. */
  readonly #connections = new Set<ServerConnections>();
  #obtained: Credentials | null = null;
  #obtaining: Promise<Credentials> | null = null;

  constructor(get: () => Promise<Credentials>, nowMs: () => number) {
    this.#get = get;
    this.#nowMs = nowMs;
  }

  /**
   * Sends a request with credentials that have not expired. After a 401, renews the credentials and, if they have
   * changed, sends the request once more.
   */
  async send<T>(request: (credentials: Credentials) => Promise<T>): Promise<T> {
    this.#obtaining ??= this.#obtain(null);
    let used = await this.#obtaining;
    if (used.expiresAtMs !== null && this.#nowMs() > used.expiresAtMs) used = await this.#renewed(used);
    try {
      return await inConfidence(request, used);
    } catch (error) {
      if (!(error instanceof RequestFailure && error.kind === "unauthorized")) throw error;
      const fresh = await this.#renewed(used);
      const hasSameHeaders = JSON.stringify(fresh.headers) === JSON.stringify(used.headers);
      if (hasSameHeaders && fresh.connections === used.connections) throw error;
      return inConfidence(request, fresh);
    }
  }

  close(): void {
    for (const connections of this.#connections) connections.close();
  }

  /** Renews the credentials, but only once for several requests that have used `used`. */
  #renewed(used: Credentials): Promise<Credentials> {
    if (this.#obtaining === null || this.#obtained === used) {
      this.#obtained = null;
      this.#obtaining = this.#obtain(used);
    }
    return this.#obtaining;
  }

  async #obtain(former: Credentials | null): Promise<Credentials> {
    const filesAgeAtMs = this.#nowMs() + FILE_AGE_MS;
    try {
      const fresh = await this.#get();
      const { connections } = former?.certificates === fresh.certificates ? former : fresh;
      if (connections !== former?.connections) former?.connections.retire();
      this.#connections.add(connections);
      this.#obtained = { ...fresh, connections, expiresAtMs: fresh.isFromFiles ? filesAgeAtMs : fresh.expiresAtMs };
    } catch (error) {
      // A file may be missing while another program writes it; but a plugin that gives nothing has refused.
      if (former?.isFromFiles !== true) {
        former?.connections.retire();
        this.#obtaining = null;
        throw error;
      }
      this.#obtained = { ...former, expiresAtMs: filesAgeAtMs };
    }
    return this.#obtained;
  }
}

/** Sends a request. If it fails, removes the credentials from the message, because a server or proxy may quote them. */
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
