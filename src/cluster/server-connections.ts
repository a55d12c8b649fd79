import type { Agent } from "node:http";
import { mostConnections } from "./connection-limits.ts";
import type { DirectConnections } from "./direct-connections.ts";
import { type HttpAnswer, httpGet } from "./http-get.ts";
import { type HttpStream, openStream } from "./http-stream.ts";
import type { Headers } from "./impersonation.ts";
import { RequestFailure } from "./request-failure.ts";

/** The connections to one server, which all requests with the same certificates share, and which stay open between them. */
export class ServerConnections {
  readonly #makeAgent: () => Agent;
  /** Null where nothing but Node's own client leads to the server: through a proxy, and without TLS. */
  readonly #direct: DirectConnections | null;
  #agent: Agent | null = null;
  #isKept = true;
  #isClosed = false;
  /** Connections that are taken by answers that go on: nobody may wait for one of those. */
  #streams = 0;

  /** `makeAgent` is called when something is asked through it: Node's client takes milliseconds to load. */
  constructor(makeAgent: () => Agent, direct: DirectConnections | null) {
    this.#makeAgent = makeAgent;
    this.#direct = direct;
  }

  /** One GET, redirects not followed. A RequestFailure if there is no whole answer. */
  async get(url: string, own: Headers, signal: AbortSignal): Promise<HttpAnswer> {
    const headers = { ...(LOOPBACK.test(url) ? {} : { "Accept-Encoding": "gzip" }), ...own };
    if (this.#isClosed) throw closed();
    try {
      const answer = (await this.#direct?.get(url, headers, signal)) ?? null;
      return answer ?? (await httpGet(url, { agent: this.#pool(), headers, signal }));
    } catch (error) {
      throw this.#isClosed ? closed() : error;
    }
  }

  /** The same for an answer that goes on. */
  async stream(url: string, headers: Headers, signal: AbortSignal): Promise<HttpStream> {
    this.#streams++;
    let isOpen = true;
    const release = (): void => {
      if (isOpen) this.#streams--;
      isOpen = false;
    };
    try {
      return releasing(await openStream(url, { agent: this.#pool(), headers, signal }), release);
    } catch (error) {
      release();
      throw error;
    }
  }

  /** Others take their place: those in use end by themselves, idle ones at once. */
  retire(): void {
    this.#isKept = false;
    this.#direct?.retire();
    if (this.#agent === null) return;
    Object.assign(this.#agent, { keepAlive: false });
    for (const sockets of Object.values(this.#agent.freeSockets)) for (const socket of sockets ?? []) socket.destroy();
  }

  /** Breaks off whatever is still being sent or received, and lets nothing be asked again. */
  close(): void {
    this.#isClosed = true;
    this.#direct?.close();
    this.#agent?.destroy();
  }

  #pool(): Agent {
    if (this.#agent !== null) return this.#agent;
    const agent = this.#makeAgent();
    const waiting = (): number => Object.values(agent.requests).flat().length;
    Object.assign(agent, { keepAlive: this.#isKept });
    Object.defineProperty(agent, "maxSockets", { get: () => mostConnections(waiting()) + this.#streams });
    this.#agent = agent;
    return agent;
  }
}

/** A lost connection would be a reason to try again. */
function closed(): RequestFailure {
  return new RequestFailure("unreachable", { message: "the connection was closed on this side" });
}

/** On one machine, compressing costs more than it saves. */
const LOOPBACK = /^https?:\/\/(localhost|127(\.\d+){3}|\[::1\])[:/]/;

/** The stream, which calls `release` when it ends or is closed. */
function releasing(stream: HttpStream, release: () => void): HttpStream {
  async function* untilItEnds(): AsyncGenerator<string> {
    try {
      yield* stream.lines;
    } finally {
      release();
    }
  }
  const closeAndRelease = (): void => {
    release();
    stream.close();
  };
  const textAndRelease = (): Promise<string> => stream.text().finally(release);
  return { ...stream, lines: untilItEnds(), text: textAndRelease, close: closeAndRelease };
}
