import { isForbidden, isPassing } from "../cluster/watch-failure.ts";
import { RetryPause } from "../cluster/watch-retry.ts";
import { sleep, type Timers } from "../cluster/watch-timers.ts";
import { UserError } from "../errors.ts";
import type { BackoffList } from "../explain/list.ts";
import type { ListFrame } from "../render/live-list.ts";

const TICK_MS = 1_000;
/** From the end of one list to the beginning of the next. */
const PAUSE_MS = 5_000;
/** A list that takes long is of a large cluster: that one is asked a tenth of the time at most. */
const REST_FACTOR = 9;

/** A list that is read again and again, with the time that passes in between. */
export class ListSession {
  readonly #read: () => Promise<BackoffList>;
  readonly #timers: Timers;
  readonly #ending = new AbortController();
  #latest: { readonly list: BackoffList; readonly readAtMs: number } | null = null;
  #trouble: ListFrame["trouble"] = null;
  #bug: { readonly error: unknown } | null = null;

  constructor(read: () => Promise<BackoffList>, timers: Timers) {
    this.#read = read;
    this.#timers = timers;
  }

  end(): void {
    this.#ending.abort();
  }

  /** A frame each second until `end` is called. Throws what the first list fails with; later ones are tried again. */
  async *frames(): AsyncGenerator<ListFrame> {
    const { signal } = this.#ending;
    const beganAtMs = this.#timers.nowMs();
    this.#take(await this.#read());
    void this.#poll(this.#timers.nowMs() - beganAtMs);
    while (!signal.aborted) {
      yield this.#frame();
      await sleep(this.#timers, TICK_MS - (this.#nowMs() % TICK_MS), signal);
    }
    if (this.#bug !== null) throw this.#bug.error;
  }

  async #poll(firstTookMs: number): Promise<void> {
    const { signal } = this.#ending;
    let retry = new RetryPause();
    let pauseMs = pauseAfter(firstTookMs);
    while (!signal.aborted) {
      await sleep(this.#timers, pauseMs, signal);
      if (signal.aborted) return;
      const beganAtMs = this.#timers.nowMs();
      try {
        this.#take(await this.#read());
        retry = new RetryPause();
        pauseMs = pauseAfter(this.#timers.nowMs() - beganAtMs);
      } catch (error) {
        if (!(isPassing(error) || isForbidden(error) || error instanceof UserError)) this.#fail(error);
        else this.#trouble ??= { sinceMs: this.#nowMs(), because: String(error.message.split("\n")[0]) };
        pauseMs = PAUSE_MS + retry.nextMs(0, this.#timers.random());
      }
    }
  }

  #fail(error: unknown): void {
    this.#bug = { error };
    this.#ending.abort();
  }

  #take(list: BackoffList): void {
    this.#latest = { list, readAtMs: this.#timers.nowMs() };
    this.#trouble = null;
  }

  #nowMs(): number {
    if (this.#latest === null) return this.#timers.nowMs();
    const { list, readAtMs } = this.#latest;
    return list.atMs + this.#timers.nowMs() - readAtMs;
  }

  #frame(): ListFrame {
    const { items = [], gaps = [] } = this.#latest?.list ?? {};
    const atMs = Math.floor(this.#nowMs() / TICK_MS) * TICK_MS;
    return { list: { atMs, items, gaps }, trouble: this.#trouble, isLast: false };
  }
}

function pauseAfter(tookMs: number): number {
  return Math.max(PAUSE_MS, REST_FACTOR * tookMs);
}
