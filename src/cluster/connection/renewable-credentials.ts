import { textOf } from "../objects/json-access.ts";
import type { Credential } from "./client-config.ts";
import type { Headers } from "./http.ts";
import { RequestFailure } from "./request-failure.ts";
import type { ServerConnections } from "./server-connections.ts";

export interface Credentials extends Pick<Credential, "expiresAtMs"> {
  readonly headers: Headers;
  /** If renewed credentials have the same certificates, the earlier connections can stay in use. */
  readonly certificates: string;
  readonly connections: ServerConnections;
  /** Whether to reread the files that the kubeconfig names, because they may change. */
  readonly isFromFiles: boolean;
}

/** `period` minus `leeway` of `NewCachedFileTokenSource` (client-go v0.37.1, transport/token_source.go). */
const REREAD_FILES_AFTER_MS = 50_000;

export class RenewableCredentials {
  readonly #get: () => Promise<Credentials>;
  readonly #nowMs: () => number;
  /** Includes connections with earlier certificates, which may still have open streams. */
  readonly #connections = new Set<ServerConnections>();
  #newest: Promise<Credentials> | null = null;

  constructor(get: () => Promise<Credentials>, nowMs: () => number) {
    this.#get = get;
    this.#nowMs = nowMs;
  }

  async send<T>(request: (credentials: Credentials) => Promise<T>): Promise<T> {
    this.#newest ??= this.#obtain(null);
    let sent = this.#newest;
    const { expiresAtMs } = await sent;
    if (expiresAtMs !== null && this.#nowMs() > expiresAtMs) sent = this.#renewed(sent);
    const used = await sent;
    try {
      return await withoutSecrets(request, used);
    } catch (error) {
      if (!(error instanceof RequestFailure && error.kind === "unauthorized")) throw error;
      const fresh = await this.#renewed(sent);
      const hasSameHeaders = JSON.stringify(fresh.headers) === JSON.stringify(used.headers);
      if (hasSameHeaders && fresh.connections === used.connections) throw error;
      return withoutSecrets(request, fresh);
    }
  }

  close(): void {
    for (const connections of this.#connections) connections.close();
  }

  #renewed(used: Promise<Credentials>): Promise<Credentials> {
    if (this.#newest === null || this.#newest === used) this.#newest = used.then((former) => this.#obtain(former));
    return this.#newest;
  }

  async #obtain(former: Credentials | null): Promise<Credentials> {
    const rereadAtMs = this.#nowMs() + REREAD_FILES_AFTER_MS;
    try {
      const fresh = await this.#get();
      const { connections } = former?.certificates === fresh.certificates ? former : fresh;
      if (connections !== former?.connections) former?.connections.retire();
      this.#connections.add(connections);
      return { ...fresh, connections, expiresAtMs: fresh.isFromFiles ? rereadAtMs : fresh.expiresAtMs };
    } catch (error) {
      // A file may be missing while another program writes it.
      if (former?.isFromFiles === true) return { ...former, expiresAtMs: rereadAtMs };
      former?.connections.retire();
      this.#newest = null;
      throw error;
    }
  }
}

/** A server or a proxy may quote the token or the password in its error message. */
async function withoutSecrets<T>(request: (sent: Credentials) => Promise<T>, credentials: Credentials): Promise<T> {
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
