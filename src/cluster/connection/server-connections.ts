import type { Agent } from "node:http";
import type { BegunAnswer, Request } from "./http.ts";
import { Http1Connections } from "./http1.ts";
import { Http2Connection } from "./http2.ts";
import type { Environment } from "./kubeconfig-files.ts";
import { brokenOff, connectionFailure } from "./request-failure.ts";
import { traced } from "./request-trace.ts";
import { handOver, openSocket } from "./sockets.ts";
import type { Timers } from "./timers.ts";

/** The maximum number of times that `#begin` sends a refused request again. */
const MOST_REFUSED = 5;

export class ServerConnections {
  readonly #server: URL;
  readonly #http1: Http1Connections;
  #http2: readonly Http2Connection[] = [];
  readonly #open: (signal: AbortSignal) => Promise<void>;
  readonly #closing = new AbortController();
  #isHttp1: boolean;
  #isRetired = false;
  #opening: Opening | null = null;

  constructor(agent: Agent, server: string, timers: Timers, env: Environment) {
    this.#server = new URL(server);
    this.#http1 = new Http1Connections(agent);
    // As in kubectl, even DISABLE_HTTP2=false switches HTTP/2 off.
    this.#isHttp1 = this.#server.protocol === "http:" || Boolean(env["DISABLE_HTTP2"]);
    this.#open = async (signal) => {
      const socket = await openSocket(agent, this.#server, signal);
      this.#isHttp1 = socket.alpnProtocol !== "h2";
      if (this.#isHttp1) return handOver(socket, agent, this.#closing.signal);
      const connection = new Http2Connection(socket, this.#server, timers, env);
      this.#http2 = [...this.#http2.filter((one) => one.isOpen()), connection];
    };
  }

  async begin(sent: Request): Promise<BegunAnswer> {
    const request = { ...sent, signal: AbortSignal.any([sent.signal, this.#closing.signal]) };
    try {
      return await traced(request.url, () => this.#begin(request));
    } catch (error) {
      throw connectionFailure(error);
    }
  }

  /** Unlike `close`, lets open requests end. */
  retire(): void {
    this.#isRetired = true;
    this.#http1.retire();
    for (const connection of this.#http2) connection.retire();
  }

  close(): void {
    this.#closing.abort();
    this.#http1.close();
    for (const connection of this.#http2) connection.close();
  }

  async #begin(request: Request): Promise<BegunAnswer> {
    for (let refused = 0; !this.#isHttp1; ) {
      const connection = this.#http2.find((one) => one.hasRoom());
      const begun = await connection?.begin(request);
      // The connection can have opened after the call of `retire`.
      if (begun && this.#isRetired) connection?.retire();
      if (begun) return begun;
      if (begun === null && ++refused > MOST_REFUSED) throw brokenOff();
      await this.#opened(request.signal);
    }
    return this.#http1.begin(request);
  }

  /** Waiting requests share one attempt to connect, which ends if all of them are aborted. */
  async #opened(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const opening = this.#opening ?? this.#startOpening();
    const leave = (): void => {
      if (--opening.waiting > 0) return;
      if (this.#opening === opening) this.#opening = null;
      opening.ending.abort(signal.reason);
    };
    opening.waiting++;
    signal.addEventListener("abort", leave);
    await opening.done.finally(() => signal.removeEventListener("abort", leave));
    signal.throwIfAborted();
  }

  #startOpening(): Opening {
    const ending = new AbortController();
    const done = this.#open(ending.signal).finally(() => {
      if (this.#opening === opening) this.#opening = null;
    });
    const opening: Opening = { done, ending, waiting: 0 };
    this.#opening = opening;
    return opening;
  }
}

interface Opening {
  readonly done: Promise<void>;
  readonly ending: AbortController;
  waiting: number;
}
