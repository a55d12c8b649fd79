import type { HttpStream } from "./http.ts";

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
  /** The same for an answer that goes on; the limit is for its beginning, and `signal` ends it. */
  stream(path: string, options: StreamOptions): Promise<ApiStream>;
  /** Breaks off whatever is still going on: only for someone who watches is there anything. */
  close(): void;
}

/** What a request has of its own. */
export interface GetOptions {
  /** Not encoded yet. */
  readonly query?: Readonly<Record<string, string>>;
  /** For the whole of it, however often it is sent, if that is less than the connection's limit; 0 is none of its own. */
  readonly timeoutMs?: number;
  /** Whether the answer is complete without it: then it is hardly sent again where it fails. */
  readonly isOptional?: boolean;
  /** The media type to ask for; plain JSON by default. */
  readonly accept?: string;
  /** Reads the text of a successful answer: JSON.parse by default. Undefined if it cannot be read. */
  readonly parse?: (text: string) => unknown;
}

/** What a request for a stream has of its own. */
interface StreamOptions {
  readonly query: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** Until it begins, if not the connection's limit: the log of a container that prints nothing does not begin. 0 is none. */
  readonly timeoutMs?: number;
}

/** A successful answer that comes line by line, or in pieces. */
export interface ApiStream extends Pick<HttpStream, "lines" | "pieces" | "close">, Pick<ApiAnswer, "serverClockMs"> {}

/** A successful answer. */
export interface ApiAnswer {
  /** The JSON of the answer, unchecked; or what `parse` has made of its text. */
  readonly body: unknown;
  /** The server's clock, from the Date header: whole seconds, truncated; null without one. */
  readonly serverClockMs: number | null;
}
