import type { SecureContextOptions } from "node:tls";
import { textOf } from "../objects/untrusted.ts";
import type { Headers, ServerConnections } from "./http.ts";
import { RequestFailure } from "./request-failure.ts";

/** The headers and the connections of all requests. */
export interface Access {
  readonly headers: Headers;
  /** The connections are made with them. */
  readonly certificates: SecureContextOptions;
  readonly connections: ServerConnections;
}

/** An access, and how long it is good. */
export interface Credentials {
  readonly access: Access;
  /** When a plugin or provider says that it expires; null if none says so. */
  readonly expiresAtMs: number | null;
  /** Whether it comes from files, which may change while the program runs, and from no plugin, which would run for them. */
  readonly isFromFiles: boolean;
}

/**
 * The program reads files again at this age. Mirrors `NewCachedFileTokenSource` (client-go v0.37.1, transport/token_source.go):
 * a minute less 10 seconds. client-go reads certificates every 5 minutes (cert_rotation.go); here all files are one.
 */
const FILE_AGE_MS = 50_000;

/**
 * Credentials that all requests of a run share, so that an exec plugin runs once and connections are pooled. They are renewed
 * when they have expired, when files may have changed, and when the server refuses them (401).
 */
export class RenewableCredentials {
  readonly #get: () => Promise<Credentials>;
  readonly #nowMs: () => number;
  /** The connections with earlier certificates: streams may still be open on them. */
  readonly #former = new Set<ServerConnections>();
  #obtained: Credentials | null = null;
  #obtaining: Promise<Credentials> | null = null;

  /** `nowMs`: the local clock, by which credentials expire and files age. */
  constructor(get: () => Promise<Credentials>, nowMs: () => number) {
    this.#get = get;
    this.#nowMs = nowMs;
  }

  /** Sends a request; after a 401 once again with fresh credentials, unless they are the same as before. */
  async send<T>(request: (access: Access) => Promise<T>): Promise<T> {
    const used = await this.#usable();
    try {
      return await inConfidence(request, used.access);
    } catch (error) {
      if (!(error instanceof RequestFailure && error.kind === "unauthorized")) throw error;
      const fresh = await this.#renewed(used);
      if (fresh.access === used.access) throw error;
      return inConfidence(request, fresh.access);
    }
  }

  /** Ends all requests. */
  close(): void {
    for (const connections of [...this.#former, this.#obtained?.access.connections]) connections?.close();
  }

  async #usable(): Promise<Credentials> {
    this.#obtaining ??= this.#obtain(null);
    const current = await this.#obtaining;
    const isStale = current.expiresAtMs !== null && this.#nowMs() > current.expiresAtMs;
    return isStale ? this.#renewed(current) : current;
  }

  /** The successor of `used`: the first of several requests that need it renews for all. */
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
      const { access, expiresAtMs, isFromFiles } = await this.#get();
      const kept = this.#inPlaceOf(former, access);
      this.#obtained = { access: kept, expiresAtMs: isFromFiles ? filesAgeAtMs : expiresAtMs, isFromFiles };
    } catch (error) {
      // A file may be missing while another program writes it; but a plugin that gives nothing has refused.
      if (former?.isFromFiles !== true) {
        this.#retire(former);
        this.#obtaining = null;
        throw error;
      }
      this.#obtained = { ...former, expiresAtMs: filesAgeAtMs };
    }
    return this.#obtained;
  }

  /** The fresh access, over the former connections if the certificates are the same; the former one if all is the same. */
  #inPlaceOf(former: Credentials | null, fresh: Access): Access {
    if (former === null) return fresh;
    if (tlsOf(former.access) !== tlsOf(fresh)) {
      this.#retire(former);
      return fresh;
    }
    const isSame = JSON.stringify(former.access.headers) === JSON.stringify(fresh.headers);
    return isSame ? former.access : { ...fresh, connections: former.access.connections };
  }

  #retire(former: Credentials | null): void {
    if (former === null) return;
    this.#former.add(former.access.connections);
    former.access.connections.retire();
  }
}

function tlsOf({ certificates: { cert, key, ca } }: Access): string {
  return JSON.stringify([String(cert), String(key), String(ca)]);
}

/** Sends the request. A failure does not repeat its credentials, which a server or proxy for debugging may quote. */
async function inConfidence<T>(request: (access: Access) => Promise<T>, access: Access): Promise<T> {
  try {
    return await request(access);
  } catch (error) {
    if (error instanceof RequestFailure)
      for (const secret of secretsIn(access.headers)) error.message = error.message.replaceAll(secret, "***");
    throw error;
  }
}

function secretsIn(headers: Headers): string[] {
  const [, kind, secret = ""] = /^(Bearer|Basic) (.+)$/s.exec(textOf(headers["Authorization"]) ?? "") ?? [];
  const password = kind === "Basic" ? Buffer.from(secret, "base64").toString("utf8").replace(/^.*?:/s, "") : "";
  return [secret, password].filter((known) => known !== "");
}
