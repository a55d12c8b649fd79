import type { RequestOptions } from "node:https";
import { RequestFailure } from "./request-failure.ts";

/**
 * Credentials that all requests of a run share, so that an exec plugin runs once and connections are pooled. They are got
 * anew when the server no longer takes them (401): tokens of plugins and service accounts live for an hour or less.
 */
export class RenewableCredentials {
  readonly #get: () => Promise<RequestOptions>;
  #current: Promise<RequestOptions> | null = null;

  constructor(get: () => Promise<RequestOptions>) {
    this.#get = get;
  }

  /** Sends a request; after a 401 once again with fresh credentials, unless they are the same as before. */
  async send<T>(request: (credentials: RequestOptions) => Promise<T>): Promise<T> {
    this.#current ??= this.#obtain();
    const used = this.#current;
    const credentials = await used;
    try {
      return await request(credentials);
    } catch (error) {
      if (!(error instanceof RequestFailure && error.kind === "unauthorized")) throw error;
      // Of several requests that are refused at once, the first one renews for all.
      if (this.#current === used) this.#current = this.#obtain();
      const fresh = await this.#current;
      if (isSame(fresh, credentials)) throw error;
      letGo(credentials);
      return request(fresh);
    }
  }

  /** Breaks off whatever is still being sent or received. */
  close(): void {
    this.#current?.then(
      ({ agent }) => typeof agent === "object" && agent.destroy(),
      () => {},
    );
  }

  /** What failed is not kept: the next request tries again. */
  #obtain(): Promise<RequestOptions> {
    const obtained: Promise<RequestOptions> = this.#get().catch((error) => {
      if (this.#current === obtained) this.#current = null;
      throw error;
    });
    return obtained;
  }
}

function isSame(a: RequestOptions, b: RequestOptions): boolean {
  return secretsOf(a) === secretsOf(b);
}

function secretsOf({ headers, auth, cert, key }: RequestOptions): string {
  return JSON.stringify([headers, auth, String(cert), String(key)]);
}

/** Connections that are in use end by themselves; idle ones would stay open for as long as the program runs. */
function letGo({ agent }: RequestOptions): void {
  if (typeof agent !== "object") return;
  Object.assign(agent, { keepAlive: false });
  for (const sockets of Object.values(agent.freeSockets)) for (const socket of sockets ?? []) socket.destroy();
}
