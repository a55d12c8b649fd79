import { channel } from "node:diagnostics_channel";
import { textOfBody } from "./answer-body.ts";
import { UnclearAnswer } from "./answer-input.ts";
import { connectionFailure } from "./connection-failure.ts";
import { mostConnections } from "./connection-limits.ts";
import { BROKEN, DirectConnection } from "./direct-connection.ts";
import type { HttpAnswer } from "./http-get.ts";
import type { Headers } from "./impersonation.ts";
import type { PlainAnswer } from "./plain-answer.ts";
import type { TlsSettings } from "./tls-settings.ts";

/** A GET, for whoever listens. */
export interface DirectRequest {
  readonly host: string;
  /** With the query. */
  readonly path: string;
}

/** Told of each request on the diagnostics channel DIRECT_REQUESTS, with the same `request`: that it is sent, and what comes of it. */
export type DirectMessage = { readonly request: DirectRequest } & DirectOutcome;

type DirectOutcome =
  | { readonly stage: "sent" }
  | { readonly stage: "answered"; readonly status: number; readonly bytes: number; readonly isReused: boolean }
  | { readonly stage: "failed"; readonly error: unknown };

/** The name of that channel. */
export const DIRECT_REQUESTS = "kubectl-backoff.direct-request";

/**
 * GETs to one server, straight over TLS. Node's own client takes a fifth of what kubectl takes in all, which whoever asks five
 * questions notices. What is not as API servers do it is still left to that client.
 */
export class DirectConnections {
  readonly #server: URL;
  readonly #settings: TlsSettings;
  readonly #open = new Set<DirectConnection>();
  readonly #idle: DirectConnection[] = [];
  #queue: PromiseWithResolvers<DirectConnection>[] = [];
  /** Whether all answers so far were as API servers write them. Once one was not, nobody asks for each of them twice. */
  #isClear = true;
  #isKept = true;

  constructor(server: string, settings: TlsSettings) {
    this.#server = new URL(server);
    this.#settings = settings;
  }

  /** The answer, of any status; null for one that Node's client has to ask for. A RequestFailure without a whole one. */
  async get(address: string, headers: Headers, signal: AbortSignal): Promise<HttpAnswer | null> {
    const { host, pathname, search } = new URL(address);
    const request: DirectRequest = { host, path: `${pathname}${search}` };
    const text = textOf(request, headers);
    if (!this.#isClear || text === null) return null;
    const tell = (outcome: DirectOutcome): void => channel(DIRECT_REQUESTS).publish({ request, ...outcome });
    tell({ stage: "sent" });
    try {
      const { answer, isReused } = await this.#ask(text, signal);
      const { status, headers } = answer;
      const bytes = answer.body.reduce((sum, { length }) => sum + length, 0);
      tell({ stage: "answered", status, bytes, isReused });
      return { status, headers, text: await textOfBody(answer.body, headers) };
    } catch (error) {
      tell({ stage: "failed", error });
      if (!(error instanceof UnclearAnswer)) throw connectionFailure(error);
      this.#isClear = false;
      for (const turn of this.#queue.splice(0)) turn.reject(error);
      return null;
    }
  }

  /** From here on no connection is kept when it has brought its answer. */
  retire(): void {
    this.#isKept = false;
    for (const connection of this.#idle.splice(0)) connection.close();
  }

  /** Breaks off whatever is still being sent or received. */
  close(): void {
    this.#isKept = false;
    for (const turn of this.#queue.splice(0)) turn.reject(BROKEN);
    for (const connection of this.#open) connection.close();
  }

  async #ask(text: string, signal: AbortSignal): Promise<{ answer: PlainAnswer; isReused: boolean }> {
    signal.throwIfAborted();
    const connection = this.#kept() ?? this.#another() ?? (await this.#turn(signal));
    const isReused = connection.isUsed;
    try {
      return { answer: await connection.ask(text, signal), isReused };
    } finally {
      this.#release(connection);
    }
  }

  /** An idle one, unless it has just been lost. */
  #kept(): DirectConnection | null {
    const connection = this.#idle.pop();
    return connection === undefined || connection.isOpen ? (connection ?? null) : this.#kept();
  }

  /** A new connection; null if there are as many as pay. */
  #another(): DirectConnection | null {
    return this.#open.size < mostConnections(this.#queue.length) ? this.#connect() : null;
  }

  /** Whoever waits for a connection that has been closed gets a new one in its place. */
  #connect(): DirectConnection {
    const connection = new DirectConnection(this.#server, this.#settings, () => {
      this.#open.delete(connection);
      if (this.#idle.includes(connection)) this.#idle.splice(this.#idle.indexOf(connection), 1);
      this.#queue.shift()?.resolve(this.#connect());
    });
    this.#open.add(connection);
    return connection;
  }

  /** Whoever gives up waiting leaves the queue, so that no connection is made for nobody. */
  async #turn(signal: AbortSignal): Promise<DirectConnection> {
    const turn = Promise.withResolvers<DirectConnection>();
    const leave = (): void => {
      this.#queue = this.#queue.filter((other) => other !== turn);
      turn.reject(signal.reason);
    };
    this.#queue.push(turn);
    signal.addEventListener("abort", leave);
    try {
      return await turn.promise;
    } finally {
      signal.removeEventListener("abort", leave);
    }
  }

  #release(connection: DirectConnection): void {
    // One that nobody has used after all would keep the program from ending.
    if (!this.#isKept || !connection.isUsed) connection.close();
    if (!connection.isOpen) return;
    const next = this.#queue.shift();
    if (next === undefined) this.#idle.push(connection);
    else next.resolve(connection);
  }
}

/** The request as it is sent (RFC 9112). Null for what Node's client says better what is wrong with. */
function textOf({ host, path }: DirectRequest, headers: Headers): string | null {
  const lines = Object.entries({ Host: host, ...headers, Connection: "keep-alive" }).flatMap(([name, value]) =>
    [value].flat().map((text) => `${name}: ${text}`),
  );
  const isPlain = lines.every((line) => /^[!#$%&'*+\-.^\w`|~]+: [\t\x20-\x7e\x80-\xff]*$/.test(line));
  return isPlain ? [`GET ${path} HTTP/1.1`, ...lines, "", ""].join("\r\n") : null;
}
