import type { Connection } from "../../cluster/connection/connection.ts";
import type { Timers } from "../../cluster/connection/timers.ts";
import { keepingTime, ServerClock } from "../../cluster/watch/watch-clock.ts";
import type { Now } from "../../explain/observed/observation.ts";
import type { LiveFrame } from "../../render/watch/live.ts";

/** An exit or a start comes as several changes of the pod and several events. */
const SETTLE_MS = 100;

/** Decides when the next frame of a watch is due: at each tick of the clock, for the countdown, and soon after news. */
export class FramePace {
  readonly #timers: Timers;
  readonly #nowMs: () => number;
  readonly #tickMs: number;
  #hasNews = false;
  #isEnded = false;
  #wake: (delayMs: number) => void = () => {};

  /** `nowMs`: the clock that ticks every `tickMs`. */
  constructor(timers: Timers, nowMs: () => number, tickMs: number) {
    this.#timers = timers;
    this.#nowMs = nowMs;
    this.#tickMs = tickMs;
  }

  /** Makes the next frame due soon. */
  news(): void {
    this.#hasNews = true;
    this.#wake(SETTLE_MS);
  }

  /** Ends the present pause and `turns` immediately. */
  end(): void {
    this.#isEnded = true;
    this.#wake(0);
  }

  /** Yields when a frame is due, until `end` is called. Throws if `watching`, which brings the news, fails before that. */
  async *turns(watching: Promise<void>): AsyncGenerator<void> {
    const failures: unknown[] = [];
    watching.catch((error) => {
      if (!this.#isEnded) failures.push(error);
      this.end();
    });
    while (!this.#isEnded) {
      this.#hasNews = false;
      yield;
      await this.#pause();
    }
    if (failures.length > 0) throw failures[0];
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => {
      const due = (): void => {
        this.#wake = () => {};
        resolve();
      };
      let callOff = this.#timers.after(this.#tickMs - (this.#nowMs() % this.#tickMs), due);
      let isSettling = false;
      this.#wake = (delayMs) => {
        if (isSettling && delayMs > 0) return;
        isSettling = true;
        callOff();
        callOff = this.#timers.after(delayMs, due);
      };
      if (this.#isEnded) this.#wake(0);
      else if (this.#hasNews) this.#wake(SETTLE_MS);
    });
  }
}

type Trouble = LiveFrame["trouble"];

const SECOND_MS = 1_000;

/** The time of a watch, by the server's clock; by the local clock until the first answer. */
export class WatchTime {
  readonly clock = new ServerClock();
  readonly #timers: Timers;

  constructor(timers: Timers) {
    this.#timers = timers;
  }

  /** Returns the connection; each of its answers sets the clock. */
  timed(connection: Connection): Connection {
    return keepingTime(connection, this.clock, () => this.#timers.nowMs());
  }

  nowMs(): number {
    return this.#serverMs(this.#timers.nowMs());
  }

  /** Truncated to whole seconds like the API's timestamps, so that durations are whole seconds, too. */
  now(): Now {
    const atMs = Math.floor(this.nowMs() / SECOND_MS) * SECOND_MS;
    return { atMs, atBasis: this.clock.isSet ? "server-clock" : "local-clock" };
  }

  /** The trouble after `failure`, or null without a failure. It keeps the beginning of `before`, the trouble so far. */
  troubleAfter(before: Trouble, failure: Error | null, sinceLocalMs: number): Trouble {
    if (failure === null) return null;
    return { sinceMs: before?.sinceMs ?? this.#serverMs(sinceLocalMs), because: failure.message.split("\n")[0] ?? "" };
  }

  #serverMs(localMs: number): number {
    return this.clock.nowMs(localMs) ?? localMs;
  }
}
