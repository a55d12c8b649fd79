import { connect, constants, type IncomingHttpHeaders } from "node:http2";
import type { TLSSocket } from "node:tls";
import type { BegunAnswer, Request } from "./http.ts";
import type { Environment } from "./kubeconfig-files.ts";
import { brokenOff, RequestFailure, SILENT } from "./request-failure.ts";
import type { Timers } from "./timers.ts";

/**
 * With HTTP/2's small default window, a server can wait for the client. Streams and the connection have windows of
 * the same size, because Bun 1.4.5 can stop reading a stream whose window is smaller than the connection's.
 */
const WINDOW_BYTES = 2 ** 22;
/** Mirrors `initialMaxConcurrentStreams` (golang.org/x/net v0.57.0, http2/transport.go). */
const MOST_FIRST_STREAMS = 100;
/** The defaults of `ReadIdleTimeout` and `PingTimeout` in kubectl (apimachinery v0.37.1, pkg/util/net/http.go). */
export const READ_IDLE_TIMEOUT_MS = 30_000;
export const PING_TIMEOUT_MS = 15_000;
/** Node can break off an answer if the connection holds more memory than this. Node's default is 10. */
const MOST_MEMORY_MB = 1_000;

export class Http2Connection {
  readonly #session: ReturnType<typeof connect>;
  readonly #timers: Timers;
  #streams = 0;
  #hasCarried = false;
  #isEnding = false;
  #heardAtMs: number;
  readonly #heard = (): void => {
    this.#heardAtMs = this.#timers.nowMs();
  };

  constructor(socket: TLSSocket, server: URL, timers: Timers, env: Environment) {
    const settings = { enablePush: false, initialWindowSize: WINDOW_BYTES };
    const options = { createConnection: () => socket, settings, maxSessionMemory: MOST_MEMORY_MB };
    // Nagle's algorithm can delay a small request until the server has acknowledged an earlier packet.
    socket.setNoDelay(true);
    const session = connect(server.origin, options);
    session.on("connect", () => session.setLocalWindowSize(WINDOW_BYTES));
    session.on("goaway", () => this.retire());
    // Without a listener, the error would end the program.
    session.on("error", () => {});
    [this.#session, this.#timers, this.#heardAtMs] = [session, timers, timers.nowMs()];
    this.#pingAfterSilence(
      durationMsIn(env, "HTTP2_READ_IDLE_TIMEOUT_SECONDS", READ_IDLE_TIMEOUT_MS),
      durationMsIn(env, "HTTP2_PING_TIMEOUT_SECONDS", PING_TIMEOUT_MS),
    );
  }

  isOpen(): boolean {
    return !this.#session.destroyed;
  }

  hasRoom(): boolean {
    const { closed, destroyed, remoteSettings } = this.#session;
    const most = remoteSettings?.maxConcurrentStreams ?? MOST_FIRST_STREAMS;
    return !this.#isEnding && !closed && !destroyed && this.#streams < most;
  }

  /** Null means that the server has not processed the request, e.g. because of a GOAWAY. */
  async begin({ url, headers, signal }: Request): Promise<BegunAnswer | null> {
    signal.throwIfAborted();
    const lowerCase = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
    const stream = this.#session.request({ ...lowerCase, ":path": `${url.pathname}${url.search}` });
    const isFirstOnConnection = !this.#hasCarried;
    this.#hasCarried = true;
    this.#streams++;
    const giveUp = (): void => {
      stream.close(constants.NGHTTP2_CANCEL);
      stream.destroy(signal.reason);
    };
    signal.addEventListener("abort", giveUp);
    // If a connection breaks, a stream can end as if it were complete. In Bun 1.4.5, the stream may then have no error
    // code, but be destroyed before the event "end".
    let wasDestroyed = false;
    stream.once("end", () => {
      wasDestroyed = stream.destroyed;
    });
    const isWhole = (): boolean => !wasDestroyed && stream.rstCode === constants.NGHTTP2_NO_ERROR;
    return new Promise((resolve, reject) => {
      stream.on("response", ({ ":status": status = 0, ...fields }) => {
        this.#heard();
        const begun = { status, headers: fields as IncomingHttpHeaders, body: stream, isFirstOnConnection };
        resolve({ ...begun, isWhole, heard: this.#heard });
      });
      const isUnseen = (): boolean => this.#isEnding && stream.rstCode === constants.NGHTTP2_REFUSED_STREAM;
      stream.on("error", (error) => (isUnseen() ? resolve(null) : reject(error)));
      stream.once("close", () => {
        this.#streams--;
        signal.removeEventListener("abort", giveUp);
        reject(brokenOff());
      });
    });
  }

  retire(): void {
    this.#isEnding = true;
    if (!this.#session.destroyed) this.#session.close();
  }

  close(): void {
    this.#session.destroy();
  }

  /**
   * Pings a silent server, and closes the connection if the server stays silent. As in `ReadIdleTimeout`
   * (golang.org/x/net v0.57.0, http2/transport_common.go), an `idleMs` of 0 switches the pings off.
   */
  #pingAfterSilence(idleMs: number, waitMs: number): void {
    if (idleMs === 0) return;
    const timers = this.#timers;
    let callOff = (): void => {};
    const listen = (): void => {
      callOff = timers.after(this.#heardAtMs + idleMs - timers.nowMs(), () =>
        timers.nowMs() - this.#heardAtMs < idleMs ? listen() : ping(),
      );
    };
    const ping = (): void => {
      if (this.#session.destroyed) return;
      const sentAtMs = timers.nowMs();
      this.#session.ping(this.#heard);
      callOff = timers.after(waitMs, () =>
        this.#heardAtMs >= sentAtMs
          ? listen()
          : this.#session.destroy(new RequestFailure("unreachable", { ...SILENT, lost: "broken" })),
      );
    };
    this.#session.once("close", () => callOff());
    listen();
  }
}

function durationMsIn(env: Environment, name: string, defaultMs: number): number {
  const text = env[name] ?? "";
  return /^\d+$/.test(text) ? 1_000 * Number(text) : defaultMs;
}
