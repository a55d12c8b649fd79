import { isIP } from "node:net";
import tls, { type TLSSocket } from "node:tls";
import type { Reading } from "./answer-input.ts";
import { type PlainAnswer, readAnswer } from "./plain-answer.ts";
import type { TlsSettings } from "./tls-settings.ts";

/** What Node says where a server hangs up. */
export const BROKEN = Object.assign(new Error("socket hang up"), { code: "ECONNRESET" });

/** A request that is being answered. */
interface Waiting {
  readonly reading: Reading<PlainAnswer>;
  readonly resolve: (answer: PlainAnswer) => void;
  readonly reject: (error: unknown) => void;
}

/** One TLS connection, on which one request at a time is answered. While it is idle, it keeps no program from ending. */
export class DirectConnection {
  readonly #socket: TLSSocket;
  #waiting: Waiting | null = null;
  #isUsed = false;

  /** `onClose` is called once, when nothing more can be asked on it. */
  constructor({ hostname, port }: URL, settings: TlsSettings, onClose: () => void) {
    const host = hostname.replace(/^\[(.*)\]$/, "$1");
    const way = { host, port: Number(port) || 443, noDelay: true };
    const names = { servername: isIP(host) === 0 ? host : "", ALPNProtocols: ["http/1.1"] };
    this.#socket = tls.connect({ ...way, ...names, ...settings });
    this.#socket.on("data", (bytes) => this.#take(bytes));
    this.#socket.on("end", () => this.#fail(BROKEN));
    this.#socket.on("error", (error) => this.#fail(error));
    this.#socket.on("close", onClose);
  }

  /** Whether it has brought an answer before. */
  get isUsed(): boolean {
    return this.#isUsed;
  }

  get isOpen(): boolean {
    return !this.#socket.destroyed;
  }

  /**
   * The answer to one request. Throws an UnclearAnswer for one that is not read here, and what went wrong where there is none;
   * it is closed then.
   */
  async ask(request: string, signal: AbortSignal): Promise<PlainAnswer> {
    signal.throwIfAborted();
    if (!this.isOpen) throw BROKEN;
    const giveUp = (): void => this.#fail(signal.reason);
    signal.addEventListener("abort", giveUp);
    try {
      return await new Promise((resolve, reject) => {
        const reading = readAnswer();
        reading.next();
        this.#waiting = { reading, resolve, reject };
        this.#socket.ref();
        this.#socket.write(request, "latin1");
      });
    } finally {
      signal.removeEventListener("abort", giveUp);
    }
  }

  /** Whoever waits for an answer is told that there is none. */
  close(): void {
    this.#fail(BROKEN);
  }

  #take(bytes: Buffer): void {
    try {
      // Where nobody has asked, it is no answer to what is asked next.
      if (this.#waiting === null) throw BROKEN;
      const { done, value } = this.#waiting.reading.next(bytes);
      if (done === true) this.#answer(this.#waiting, value);
    } catch (error) {
      this.#fail(error);
    }
  }

  #answer({ resolve }: Waiting, answer: PlainAnswer): void {
    this.#waiting = null;
    this.#isUsed = true;
    if (answer.staysOpen) this.#socket.unref();
    else this.#socket.destroy();
    resolve(answer);
  }

  #fail(error: unknown): void {
    const waiting = this.#waiting;
    this.#waiting = null;
    this.#socket.destroy();
    waiting?.reject(error);
  }
}
