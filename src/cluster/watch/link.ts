import type { ApiStream, Connection } from "../connection/connection.ts";
import { PING_TIMEOUT_MS, READ_IDLE_TIMEOUT_MS } from "../connection/http2.ts";
import { RequestFailure, SILENT } from "../connection/request-failure.ts";
import type { Timers } from "../connection/timers.ts";

/** The answer of this path is small, and by default every user may read it (`system:public-info-viewer`). */
const PING_PATH = "/version";

/**
 * Notices that an API server no longer answers, also over HTTP/1.1, which has no ping. If a small request gets no
 * answer, all open streams fail with a "timeout".
 */
export class ServerLink {
  readonly connection: Connection;
  readonly #inner: Connection;
  readonly #timers: Timers;
  readonly #open = new Set<() => void>();
  #heardAtMs: number;
  #asking: Promise<void> | null = null;
  #callOff: (() => void) | null = null;

  constructor(connection: Connection, timers: Timers) {
    this.#inner = connection;
    this.#timers = timers;
    this.#heardAtMs = timers.nowMs();
    this.connection = {
      ...connection,
      get: (path, options) => this.#heard(connection.get(path, options)),
      stream: async (path, options) => this.#followed(await this.#heard(connection.stream(path, options))),
    };
  }

  /** When the API server was last heard, or else when this object was made, by the local clock. */
  get heardAtMs(): number {
    return this.#heardAtMs;
  }

  /** Does not throw. */
  ask(): Promise<void> {
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = null;
    });
    return this.#asking;
  }

  async #ask(): Promise<void> {
    const askedAtMs = this.#timers.nowMs();
    const parse = (text: string): string => text;
    const asked = this.#inner.get(PING_PATH, { timeoutMs: PING_TIMEOUT_MS, isOptional: true, parse });
    const isThere = await this.#heard(asked).then(
      () => true,
      // An error that is no RequestFailure, e.g. an error of the credentials, says nothing about the server.
      (error: unknown) => !(error instanceof RequestFailure) || this.#heardAtMs >= askedAtMs,
    );
    if (!isThere) for (const lose of [...this.#open]) lose();
  }

  /** An HTTP error is an answer, too. */
  async #heard<T>(answer: Promise<T>): Promise<T> {
    try {
      const found = await answer;
      this.#hear();
      return found;
    } catch (error) {
      if (error instanceof RequestFailure && error.status > 0) this.#hear();
      throw error;
    }
  }

  #hear(): void {
    this.#heardAtMs = this.#timers.nowMs();
  }

  #followed(stream: ApiStream): ApiStream {
    let isLost = false;
    const lose = (): void => {
      isLost = true;
      close();
    };
    const end = (): void => {
      this.#open.delete(lose);
      if (this.#open.size === 0) this.#callOff?.();
    };
    const close = (): void => {
      end();
      stream.close();
    };
    const hear = (): void => this.#hear();
    async function* heard(pieces: AsyncIterable<string>): AsyncGenerator<string> {
      try {
        for await (const piece of pieces) {
          hear();
          yield piece;
        }
      } catch (error) {
        throw isLost ? new RequestFailure("timeout", SILENT) : error;
      } finally {
        end();
      }
    }
    this.#open.add(lose);
    if (this.#open.size === 1) this.#listen(this.#heardAtMs);
    return { ...stream, lines: heard(stream.lines), pieces: heard(stream.pieces), close };
  }

  #listen(fromMs: number): void {
    this.#callOff?.();
    this.#callOff = this.#timers.after(fromMs + READ_IDLE_TIMEOUT_MS - this.#timers.nowMs(), async () => {
      const isSilent = this.#timers.nowMs() >= this.#heardAtMs + READ_IDLE_TIMEOUT_MS;
      if (isSilent) await this.ask();
      if (this.#open.size > 0) this.#listen(isSilent ? this.#timers.nowMs() : this.#heardAtMs);
    });
  }
}
