import { RequestFailure } from "./request-failure.ts";
import type { Timers } from "./timers.ts";

/** How long a request may take, with all its tries and the pauses between them. It begins when it is made. */
export class TimeLimit {
  readonly #timers: Timers;
  readonly #limitMs: number;
  readonly #beganAtMs: number;
  readonly #timeUp = new AbortController();

  /** 0: there is no limit. */
  constructor(limitMs: number, timers: Timers) {
    this.#timers = timers;
    this.#limitMs = limitMs;
    this.#beganAtMs = timers.nowMs();
  }

  /** Is aborted when time is up, as long as something is bound by the limit. */
  get signal(): AbortSignal {
    return this.#timeUp.signal;
  }

  /** Infinity without a limit. */
  get leftMs(): number {
    if (this.#limitMs === 0) return Number.POSITIVE_INFINITY;
    return Math.max(0, this.#limitMs - (this.#timers.nowMs() - this.#beganAtMs));
  }

  /** What `work` comes to; a RequestFailure "timeout" as soon as time is up. */
  bind<T>(work: () => Promise<T>): Promise<T> {
    if (this.#limitMs === 0) return work();
    return new Promise((resolve, reject) => {
      const callOff = this.#timers.after(this.leftMs, () => {
        reject(new RequestFailure("timeout", { message: `no answer within ${this.#limitMs / 1000}s` }));
        this.#timeUp.abort();
      });
      work().then(resolve, reject).finally(callOff);
    });
  }
}
