import { once } from "node:events";
import http, { type Agent } from "node:http";
import https from "node:https";
import pLimit from "p-limit";
import type { BegunAnswer, Request } from "./http.ts";

/** The maximum number of requests at once. Streams do not count, because they may never end. */
const MOST_AT_ONCE = 10;

export class Http1Connections {
  readonly #agent: Agent;
  readonly #inTurn = pLimit(MOST_AT_ONCE);

  constructor(agent: Agent) {
    // client-node's agents do not keep connections open.
    this.#agent = Object.assign(agent, { keepAlive: true });
  }

  begin(request: Request): Promise<BegunAnswer> {
    if (request.isStream) return this.#send(request);
    const { promise, resolve, reject } = Promise.withResolvers<BegunAnswer>();
    const untilRead = async (): Promise<void> => {
      const begun = await this.#send(request);
      resolve(begun);
      if (!begun.body.closed) await once(begun.body, "close");
    };
    this.#inTurn(untilRead).catch(reject);
    return promise;
  }

  async #send({ url, headers, signal }: Request): Promise<BegunAnswer> {
    signal.throwIfAborted();
    const get = url.protocol === "https:" ? https.get : http.get;
    return new Promise((resolve, reject) => {
      const request = get(url, { agent: this.#agent, headers, signal }, (body) => {
        const { statusCode: status = 0, headers: fields } = body;
        body.on("error", () => {});
        // If a later part of the answer is not HTTP, Node can tell `request` the error, and `body` an ECONNRESET.
        request.on("error", (error) => body.destroy(error));
        resolve({ status, headers: fields, body, isFirstOnConnection: !request.reusedSocket });
      });
      request.on("error", reject);
    });
  }

  retire(): void {
    Object.assign(this.#agent, { keepAlive: false });
    for (const sockets of Object.values(this.#agent.freeSockets)) for (const socket of sockets ?? []) socket.destroy();
  }

  close(): void {
    this.#agent.destroy();
  }
}
