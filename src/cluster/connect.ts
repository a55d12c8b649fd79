import type { RequestOptions } from "node:https";
import { credentialsOf } from "./credentials.ts";
import { httpGet } from "./http-get.ts";
import { type ContextOptions, chooseContext } from "./kubeconfig.ts";
import { kindOfStatus, RequestFailure } from "./request-failure.ts";
import { at, textOf } from "./untrusted.ts";

/** One API server, seen with one user's rights. It can only read: there is no other request than GET. */
export interface Connection {
  /** The API server's address, for messages. */
  readonly server: string;
  /** The namespace that is meant where none is named. */
  readonly namespace: string;
  /** The limit of a request that has none of its own; 0 is none. */
  readonly timeoutMs: number;
  /** `path` starts with a slash and is encoded. A RequestFailure without a usable answer, a UserError without credentials. */
  get(path: string, options?: GetOptions): Promise<ApiAnswer>;
}

/** What a request has of its own. */
export interface GetOptions {
  /** Not encoded yet. */
  readonly query?: Readonly<Record<string, string>>;
  /** For the whole of it; 0 is no limit, and without one the connection's holds. */
  readonly timeoutMs?: number;
  /** The media type to ask for; plain JSON by default. */
  readonly accept?: string;
}

/** A successful answer. */
export interface ApiAnswer {
  /** The JSON of the answer, unchecked. */
  readonly body: unknown;
  /** The server's clock, from the Date header: whole seconds, truncated; null without one. */
  readonly serverClockMs: number | null;
}

/** The flags that say which server to ask, as whom, and for how long to wait. */
export interface ConnectOptions extends ContextOptions {
  readonly namespace?: string | undefined;
  readonly requestTimeoutMs?: number | undefined;
}

const DEFAULT_TIMEOUT_MS = 10_000;

/** Reads the kubeconfig; the first request connects and gets the credentials. A UserError if there is nothing to connect to. */
export function connect(options: ConnectOptions): Connection {
  const context = chooseContext(options);
  const timeoutMs = options.requestTimeoutMs ?? DEFAULT_TIMEOUT_MS;
  // Once per run: every request shares the credentials, so an exec plugin runs once, and the pool of connections.
  let credentials: Promise<RequestOptions> | undefined;
  return {
    server: context.server,
    namespace: options.namespace || context.namespace || "default",
    timeoutMs,
    get: async (path, { query, accept, ...own } = {}) => {
      credentials ??= credentialsOf(context);
      const shared = await credentials;
      const headers = { ...shared.headers, Accept: accept ?? "application/json", "User-Agent": "kubectl-backoff" };
      const url = `${context.server}${path}${query === undefined ? "" : `?${new URLSearchParams(query)}`}`;
      const answer = await httpGet(url, { ...shared, headers }, own.timeoutMs ?? timeoutMs);
      const body = bodyOf(answer);
      return { body, serverClockMs: clockOf(answer.headers.date) };
    },
  };
}

function bodyOf(answer: { status: number; text: string }): unknown {
  const isSuccess = answer.status >= 200 && answer.status < 300;
  const body = parsed(answer.text);
  if (!isSuccess) {
    const message = textOf(at(body, "message")) ?? `HTTP status ${answer.status}`;
    throw new RequestFailure(kindOfStatus(answer.status), { message, status: answer.status });
  }
  if (body === undefined) throw new RequestFailure("bad-answer", { message: "it is not JSON", status: answer.status });
  return body;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function clockOf(date: string | undefined): number | null {
  const clockMs = Date.parse(date ?? "");
  return Number.isNaN(clockMs) ? null : clockMs;
}
