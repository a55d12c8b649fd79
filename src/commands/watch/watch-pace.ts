import { keepingTime, ServerClock } from "../../cluster/api/server-clock.ts";
import type { Connection } from "../../cluster/connection/connection.ts";
import type { Timers } from "../../cluster/connection/timers.ts";
import { ServerLink } from "../../cluster/watch/link.ts";
import type { Overdue } from "../../explain/answer/explanation.ts";
import { greatestOf } from "../../explain/observed/max-min.ts";
import type { Now } from "../../explain/observed/observation.ts";
import { SHOWN_AFTER_MS } from "../../explain/prediction/start-window.ts";
import { floorToSecond } from "../../kubelet/go-duration.ts";
import type { ConnectionLoss } from "../../render/watch/live.ts";

/** A frame follows the first news after this time, and shows all news that has arrived by then. */
const FRAME_AFTER_NEWS_MS = 100;

const COUNTDOWN_MS = 1_000;

/** A frame is due once per tick, for the countdown, and shortly after news. */
export class FramePace {
  readonly #timers: Timers;
  readonly #nowMs: () => number;
  readonly #tickMs: number;
  #hasNews = false;
  #isEnded = false;
  #wake: (delayMs: number) => void = () => {};

  constructor(timers: Timers, nowMs: () => number, tickMs = COUNTDOWN_MS) {
    this.#timers = timers;
    this.#nowMs = nowMs;
    this.#tickMs = tickMs;
  }

  news(): void {
    this.#hasNews = true;
    this.#wake(FRAME_AFTER_NEWS_MS);
  }

  end(): void {
    this.#isEnded = true;
    this.#wake(0);
  }

  /** Throws the error of `watching` if this promise rejects before `end` is called. */
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
      else if (this.#hasNews) this.#wake(FRAME_AFTER_NEWS_MS);
    });
  }
}

/** Tells the time by the API server's clock or, until that clock is known, by the local clock. */
export class WatchTime {
  readonly clock = new ServerClock();
  /** Answers over this connection can set the clock, and show that the API server answers. */
  readonly connection: Connection;
  readonly #timers: Timers;
  readonly #link: ServerLink;

  constructor(connection: Connection, timers: Timers) {
    this.#timers = timers;
    this.#link = new ServerLink(
      keepingTime(connection, this.clock, () => timers.nowMs()),
      timers,
    );
    this.connection = this.#link.connection;
  }

  nowMs(): number {
    return this.#serverMs(this.#timers.nowMs());
  }

  /** Returns whole seconds, as in most timestamps of the API. */
  now(): Now {
    const atMs = floorToSecond(this.nowMs());
    return { atMs, atBasis: this.clock.isSet ? "server-clock" : "local-clock" };
  }

  /** False if the program may have missed a restart in `overdue`, e.g. because the API server is silent. */
  hasHeardSince(overdue: readonly (Overdue | null)[], connectionLoss: ConnectionLoss | null): boolean {
    const neededAtMs = greatestOf(overdue.map((one) => (one === null ? 0 : one.expectedByMs + SHOWN_AFTER_MS)));
    const hasHeard = neededAtMs <= (connectionLoss?.sinceMs ?? this.heardAtMs);
    if (!hasHeard && connectionLoss === null && neededAtMs <= this.nowMs()) void this.checkServer();
    return hasHeard;
  }

  get heardAtMs(): number {
    return this.#serverMs(this.#link.heardAtMs);
  }

  checkServer(): Promise<void> {
    return this.#link.ask();
  }

  /** If the connection was already lost, the result keeps the `sinceMs` of `before`. */
  lossAfter(before: ConnectionLoss | null, failure: Error | null, sinceLocalMs: number): ConnectionLoss | null {
    if (failure === null) return null;
    const heardAtMs = this.#serverMs(Math.max(sinceLocalMs, this.#link.heardAtMs));
    return { sinceMs: before?.sinceMs ?? heardAtMs, because: failure.message.split("\n")[0] ?? "" };
  }

  #serverMs(localMs: number): number {
    return this.clock.nowMs(localMs) ?? localMs;
  }
}
