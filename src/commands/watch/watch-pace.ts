import type { Timers } from "../../cluster/connection/timers.ts";
import { ServerClock } from "../../cluster/watch/watch-clock.ts";
import type { Observation } from "../../explain/observed/observation.ts";
import type { LiveFrame } from "../../render/watch/live.ts";

/** News comes in bursts: an exit or a new start is several changes of the pod, and several events. */
const SETTLE_MS = 100;

/** When the next frame of a watch is due: at each tick of the clock, so that a countdown counts, and soon after news. */
export class FramePace {
  readonly #timers: Timers;
  readonly #nowMs: () => number;
  readonly #tickMs: number;
  #hasNews = false;
  #isEnded = false;
  #wake: (delayMs: number) => void = () => {};

  /** `nowMs`: the clock whose ticks count; `tickMs`: from one to the next. */
  constructor(timers: Timers, nowMs: () => number, tickMs: number) {
    this.#timers = timers;
    this.#nowMs = nowMs;
    this.#tickMs = tickMs;
  }

  /** The next frame has something to tell. */
  news(): void {
    this.#hasNews = true;
    this.#wake(SETTLE_MS);
  }

  /** Nobody waits for a next frame any more. */
  end(): void {
    this.#isEnded = true;
    this.#wake(0);
  }

  /** A frame tells all the news so far: what comes while it is shown is news for the next one. */
  framed(): void {
    this.#hasNews = false;
  }

  /** Until the next frame is due. */
  pause(): Promise<void> {
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

/** "Now", and where it is from. */
export type Moment = Pick<Observation, "atMs" | "atBasis">;

type Trouble = LiveFrame["trouble"];

const SECOND_MS = 1_000;

/** The time of a watch: by the server's clock as soon as that has said anything, before by the local one. */
export class WatchTime {
  /** Has to be told what answers say. */
  readonly clock = new ServerClock();
  readonly #timers: Timers;

  constructor(timers: Timers) {
    this.#timers = timers;
  }

  /** In milliseconds since 1970. */
  nowMs(): number {
    return this.#serverMs(this.#timers.nowMs());
  }

  /** Whole seconds, cut off as in everything else that the API says of time: distances are then whole, too. */
  now(): Moment {
    const atMs = Math.floor(this.nowMs() / SECOND_MS) * SECOND_MS;
    return { atMs, atBasis: this.clock.isSet ? "server-clock" : "local-clock" };
  }

  /** Why nothing is heard, and since when; null if something is. It began with the first failure after `before`. */
  troubleAfter(before: Trouble, failure: Error | null, sinceLocalMs: number): Trouble {
    if (failure === null) return null;
    return { sinceMs: before?.sinceMs ?? this.#serverMs(sinceLocalMs), because: failure.message.split("\n")[0] ?? "" };
  }

  #serverMs(localMs: number): number {
    return this.clock.nowMs(localMs) ?? localMs;
  }
}
