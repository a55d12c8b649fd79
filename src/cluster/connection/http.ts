import http, { type Agent, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import https, { type RequestOptions } from "node:https";
import { promisify } from "node:util";
import { connectionFailure, RequestFailure } from "./request-failure.ts";

/** Headers by name. A header with an array is sent as one line for each value. */
export type Headers = Readonly<Record<string, string | string[]>>;

export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** The answer to a watch or a followed log, which goes on until the server or the caller ends it. */
export interface HttpStream extends Omit<HttpAnswer, "text"> {
  /** The complete lines, without empty ones. Throws a RequestFailure if the connection breaks. */
  readonly lines: AsyncIterable<string>;
  /** The text in pieces of any size, for logs, whose lines can have any length. Read either `lines` or `pieces`. */
  readonly pieces: AsyncIterable<string>;
  /** Reads the body of a refusal. Empty if the body is too large, or if the connection breaks or stalls. */
  text(): Promise<string>;
  close(): void;
}

/**
 * The most bytes of an answer, compressed or decompressed. A page of 250 large pods has a tenth of that. Parsing an
 * answer takes a multiple of its size in memory.
 */
export const MOST_ANSWER_BYTES = 2 ** 26;
/** The most characters of a line. A line of a watch is shorter, because etcd limits an object to 1.5 MiB. */
const LONGEST_LINE = 2 ** 25;
/** The most bytes of a refusal. An API server's refusal has a few hundred. */
const MOST_REFUSAL_BYTES = 2 ** 20;
const REFUSAL_TIMEOUT_MS = 5_000;

const MOST_CONNECTIONS = 10;
/** The most connections while fewer than 2 requests wait: opening one takes longer than waiting for one of these. */
const FIRST_CONNECTIONS = 2;
/** Servers on this machine: compressing their answers costs more time than it saves. */
const LOOPBACK = /^https?:\/\/(localhost|127(\.\d+){3}|\[::1\])[:/]/;

/** The connections to one server. Requests with the same certificates share them. They stay open between requests. */
export class ServerConnections {
  readonly #agent: Agent;
  /** Ends all requests, also those that wait for a connection: `Agent.destroy` forgets these. */
  readonly #closing = new AbortController();
  /** How many connections streams occupy. The limit of connections rises by that number. */
  #streams = 0;

  /** Makes `agent` keep its connections open and limit their number, which client-node does not. */
  constructor(agent: Agent) {
    const waiting = (): number => Object.values(agent.requests).flat().length;
    const most = (): number => (waiting() < FIRST_CONNECTIONS ? FIRST_CONNECTIONS : MOST_CONNECTIONS) + this.#streams;
    Object.assign(agent, { keepAlive: true });
    Object.defineProperty(agent, "maxSockets", { get: most });
    this.#agent = agent;
  }

  /** Sends one GET, and follows no redirect. Throws a RequestFailure if there is no whole answer. */
  async get(url: string, own: Headers, signal: AbortSignal): Promise<HttpAnswer> {
    const options = this.#options({ ...(LOOPBACK.test(url) ? {} : { "Accept-Encoding": "gzip" }), ...own }, signal);
    try {
      const read = async (begun: IncomingMessage) => [begun, await bytesOf(begun, MOST_ANSWER_BYTES)] as const;
      const [{ statusCode: status = 0, headers }, bytes] = await answerTo(url, options, read);
      const isCompressed = headers["content-encoding"]?.toLowerCase() === "gzip";
      return { status, headers, text: (isCompressed ? await inflate(bytes) : bytes).toString("utf8") };
    } catch (error) {
      if (!this.#closing.signal.aborted) throw connectionFailure(error);
      // Not a lost connection, which would be a reason to send the request again.
      throw new RequestFailure("unreachable", { message: "the connection was closed on this side" });
    }
  }

  /** Sends one GET for a stream, which `signal` ends. Throws a RequestFailure if the stream does not begin. */
  async stream(url: string, ownHeaders: Headers, signal: AbortSignal): Promise<HttpStream> {
    this.#streams++;
    try {
      const response = await answerTo(url, this.#options(ownHeaders, signal), async (begun) => begun);
      response.once("close", () => this.#streams--);
      const { statusCode: status = 0, headers } = response;
      const [lines, pieces] = [linesOf(response), piecesOf(response)];
      return { status, headers, lines, pieces, text: () => refusalIn(response), close: () => void response.destroy() };
    } catch (error) {
      this.#streams--;
      throw connectionFailure(error);
    }
  }

  /** Closes idle connections now, and each connection in use when its answer has ended. */
  retire(): void {
    Object.assign(this.#agent, { keepAlive: false });
    for (const sockets of Object.values(this.#agent.freeSockets)) for (const socket of sockets ?? []) socket.destroy();
  }

  close(): void {
    this.#closing.abort();
    this.#agent.destroy();
  }

  #options(headers: Headers, signal: AbortSignal): RequestOptions {
    return { agent: this.#agent, headers, signal: AbortSignal.any([signal, this.#closing.signal]) };
  }
}

/** Sends a GET and reads its answer. Also rejects if the request fails during `read`, e.g. if the rest is not HTTP. */
function answerTo<T>(url: string, options: RequestOptions, read: (begun: IncomingMessage) => Promise<T>): Promise<T> {
  const get = url.startsWith("https:") ? https.get : http.get;
  return new Promise((resolve, reject) => {
    get(url, options, (response) => void read(response).then(resolve, reject)).on("error", reject);
  });
}

/** Reads the whole body of an answer. Rejects if the connection breaks, and if there are more bytes than `most`. */
export function bytesOf(response: IncomingMessage, most: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    let size = 0;
    response.on("data", (piece: Buffer) => {
      pieces.push(piece);
      size += piece.length;
      if (size > most) response.destroy(tooLarge(most));
    });
    response.on("error", reject);
    response.on("end", () => resolve(Buffer.concat(pieces)));
  });
}

function tooLarge(most: number): RequestFailure {
  return new RequestFailure("bad-answer", { message: `it is larger than ${most / 2 ** 20} MiB` });
}

/** Decompresses an answer in one call, because a stream takes a turn of the event loop for each piece. */
async function inflate(bytes: Buffer): Promise<Buffer> {
  const { gunzip } = await import("node:zlib");
  try {
    return await promisify(gunzip)(bytes, { chunkSize: 2 ** 20, maxOutputLength: MOST_ANSWER_BYTES });
  } catch (error) {
    if (error instanceof RangeError) throw tooLarge(MOST_ANSWER_BYTES);
    const { message } = error instanceof Error ? error : new Error(String(error));
    throw new RequestFailure("bad-answer", { message: `it cannot be decompressed (${message})` });
  }
}

async function* linesOf(response: IncomingMessage): AsyncGenerator<string> {
  let begun = "";
  for await (const piece of piecesOf(response)) {
    const [first = "", ...others] = piece.split("\n");
    begun += first;
    if (begun.length > LONGEST_LINE)
      throw new RequestFailure("bad-answer", { message: "it has a line without an end" });
    const rest = others.pop();
    if (rest === undefined) continue;
    for (const line of [begun, ...others]) if (line !== "") yield line;
    begun = rest;
  }
}

async function* piecesOf(response: IncomingMessage): AsyncGenerator<string> {
  response.setEncoding("utf8");
  try {
    for await (const piece of response) yield String(piece);
  } catch (error) {
    throw connectionFailure(error);
  }
}

function refusalIn(response: IncomingMessage): Promise<string> {
  response.setTimeout(REFUSAL_TIMEOUT_MS, () => response.destroy(new Error("silent")));
  return bytesOf(response, MOST_REFUSAL_BYTES).then(String, () => "");
}
