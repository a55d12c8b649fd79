import type { SecureContextOptions } from "node:tls";
import { withoutSecrets } from "./echoed-secrets.ts";
import type { Headers } from "./impersonation.ts";
import { RequestFailure } from "./request-failure.ts";
import type { ServerConnections } from "./server-connections.ts";

/** What all requests are sent with. */
export interface Access {
  readonly headers: Headers;
  /** The connections are made with them. */
  readonly certificates: SecureContextOptions;
  readonly connections: ServerConnections;
}

/** What requests are sent with, and for how long. */
export interface Credentials {
  readonly access: Access;
  /** When a credential plugin says that it expires; null if nobody says so. */
  readonly expiresAtMs: number | null;
  /** Whether files are behind it that somebody may write anew, and no plugin, which would be run for them. */
  readonly isFromFiles: boolean;
}

interface Current {
  readonly access: Access;
  /** After this moment it is got anew before it is used; null: not before it is refused. */
  readonly staleAtMs: number | null;
  readonly isFromFiles: boolean;
}

/**
 * Files are read anew at this age. Mirrors `NewCachedFileTokenSource` (client-go v0.37.1, transport/token_source.go): a minute
 * less 10 seconds. client-go reads certificates every 5 minutes (cert_rotation.go, ca_rotation.go); here all files are one.
 */
const FILE_AGE_MS = 50_000;

/**
 * Credentials that all requests of a run share, so that an exec plugin runs once and connections are pooled. They are got
 * anew when they have expired, when files may have changed, and when the server no longer takes them (401).
 */
export class RenewableCredentials {
  readonly #get: () => Promise<Credentials>;
  readonly #nowMs: () => number;
  /** Those of earlier certificates: streams may still be open on them. */
  readonly #former = new Set<ServerConnections>();
  #obtained: Current | null = null;
  #obtaining: Promise<Current> | null = null;

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

  /** Breaks off whatever is still being sent or received. */
  close(): void {
    for (const connections of [...this.#former, this.#obtained?.access.connections]) connections?.close();
  }

  async #usable(): Promise<Current> {
    this.#obtaining ??= this.#obtain(null);
    const current = await this.#obtaining;
    const isStale = current.staleAtMs !== null && this.#nowMs() > current.staleAtMs;
    return isStale ? this.#renewed(current) : current;
  }

  /** What takes the place of `used`: of several requests that find it stale or refused, the first one renews for all. */
  #renewed(used: Current): Promise<Current> {
    if (this.#obtaining === null || this.#obtained === used) {
      this.#obtained = null;
      this.#obtaining = this.#obtain(used);
    }
    return this.#obtaining;
  }

  async #obtain(former: Current | null): Promise<Current> {
    try {
      this.#obtained = this.#inPlaceOf(former, await this.#get());
    } catch (error) {
      // A file may be missing for the moment in which it is written; but what a plugin refuses to give is not to be used.
      if (former?.isFromFiles !== true) {
        this.#letGo(former);
        this.#obtaining = null;
        throw error;
      }
      this.#obtained = { ...former, staleAtMs: this.#nowMs() + FILE_AGE_MS };
    }
    return this.#obtained;
  }

  /** As much as possible stays as it was: connections are for a certificate, and do not know the token. */
  #inPlaceOf(former: Current | null, { access, expiresAtMs, isFromFiles }: Credentials): Current {
    const staleAtMs = expiresAtMs ?? (isFromFiles ? this.#nowMs() + FILE_AGE_MS : null);
    const isSameTls = former !== null && tlsOf(former.access) === tlsOf(access);
    if (!isSameTls) this.#letGo(former);
    return { access: isSameTls ? keptAccess(former.access, access) : access, staleAtMs, isFromFiles };
  }

  #letGo(former: Current | null): void {
    if (former === null) return;
    this.#former.add(former.access.connections);
    former.access.connections.retire();
  }
}

/** Sends it; a failure does not say what was sent in confidence, whatever the server says. */
async function inConfidence<T>(request: (access: Access) => Promise<T>, access: Access): Promise<T> {
  try {
    return await request(access);
  } catch (error) {
    if (error instanceof RequestFailure) error.message = withoutSecrets(error.message, access.headers);
    throw error;
  }
}

function tlsOf({ certificates: { cert, key, ca } }: Access): string {
  return JSON.stringify([String(cert), String(key), String(ca)]);
}

function keptAccess(former: Access, fresh: Access): Access {
  const isSame = JSON.stringify(former.headers) === JSON.stringify(fresh.headers);
  return isSame ? former : { ...fresh, connections: former.connections };
}
