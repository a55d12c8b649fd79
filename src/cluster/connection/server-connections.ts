import type { Agent, RequestOptions } from "node:http";
import { type HttpAnswer, type HttpStream, httpGet, openStream } from "./http.ts";
import type { Headers } from "./impersonation.ts";
import { RequestFailure } from "./request-failure.ts";

/** The most requests that the program ever sends at the same time. */
const MOST_CONNECTIONS = 10;
/** The limit while few requests wait: to open another connection takes longer than to wait for one of these. */
const FIRST_CONNECTIONS = 2;
/** On one machine, compressing costs more than it saves. */
const LOOPBACK = /^https?:\/\/(localhost|127(\.\d+){3}|\[::1\])[:/]/;

/** The connections to one server. All requests with the same certificates share them, and they stay open between requests. */
export class ServerConnections {
  readonly #agent: Agent;
  /** Also ends requests that wait for a connection, which an agent forgets when it is destroyed. */
  readonly #closing = new AbortController();
  /** Connections of answers that go on: no request may wait for one of them. */
  #streams = 0;

  /** `agent`: one of client-node, which neither keeps connections nor limits their number. */
  constructor(agent: Agent) {
    const waiting = (): number => Object.values(agent.requests).flat().length;
    const most = (): number => (waiting() < FIRST_CONNECTIONS ? FIRST_CONNECTIONS : MOST_CONNECTIONS) + this.#streams;
    Object.assign(agent, { keepAlive: true });
    Object.defineProperty(agent, "maxSockets", { get: most });
    this.#agent = agent;
  }

  /** One GET, redirects not followed. A RequestFailure if there is no whole answer. */
  async get(url: string, own: Headers, signal: AbortSignal): Promise<HttpAnswer> {
    if (this.#closing.signal.aborted) throw closed();
    const headers = { ...(LOOPBACK.test(url) ? {} : { "Accept-Encoding": "gzip" }), ...own };
    try {
      return await httpGet(url, this.#options(headers, signal));
    } catch (error) {
      throw this.#closing.signal.aborted ? closed() : error;
    }
  }

  /** The same for an answer that goes on. */
  async stream(url: string, headers: Headers, signal: AbortSignal): Promise<HttpStream> {
    this.#streams++;
    const release = (): void => void this.#streams--;
    return openStream(url, this.#options(headers, signal), release);
  }

  /** Others take their place: idle connections are closed, and those in use when their answer has ended. */
  retire(): void {
    Object.assign(this.#agent, { keepAlive: false });
    for (const sockets of Object.values(this.#agent.freeSockets)) for (const socket of sockets ?? []) socket.destroy();
  }

  /** Ends all requests, and lets no other be sent. */
  close(): void {
    this.#closing.abort();
    this.#agent.destroy();
  }

  #options(headers: Headers, signal: AbortSignal): RequestOptions {
    return { agent: this.#agent, headers, signal: AbortSignal.any([signal, this.#closing.signal]) };
  }
}

/** Not a lost connection, which would be a reason to send the request again. */
function closed(): RequestFailure {
  return new RequestFailure("unreachable", { message: "the connection was closed on this side" });
}
