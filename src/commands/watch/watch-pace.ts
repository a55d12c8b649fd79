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

/** The time from news to the frame: an exit or a start comes as several changes of the pod and several events. */
const SETTLE_MS = 100;

const COUNTDOWN_MS = 1_000;

/** Decides when the next frame of a watch is due: at each tick of the clock, for the countdown, and soon after news. */
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
    this.#wake(SETTLE_MS);
  }

  end(): void {
    this.#isEnded = true;
    this.#wake(0);
  }

  /**
   * Yields when a frame is due, until `end` is called. If `watching`, which calls `news`, rejects before that, throws
   * its error.
   */
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

/** The time of a watch: the server's clock or, until the server's first answer, the local clock. */
export class WatchTime {
  readonly clock = new ServerClock();
  /** The connection whose answers set the clock, and show that the server is there. */
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

  /** Returns the time in whole seconds like the API's timestamps, so that durations are whole seconds, too. */
  now(): Now {
    const atMs = floorToSecond(this.nowMs());
    return { atMs, atBasis: this.clock.isSet ? "server-clock" : "local-clock" };
  }

  /**
   * Whether the API server was heard after the expected times of all these restarts. Only then can a restart be
   * overdue: otherwise the program may have missed it. If the server has only been silent, asks whether it is there.
   */
  hasHeardSince(overdue: readonly (Overdue | null)[], connectionLoss: ConnectionLoss | null): boolean {
    const neededAtMs = greatestOf(overdue.map((one) => (one === null ? 0 : one.expectedByMs + SHOWN_AFTER_MS)));
    const hasHeard = neededAtMs <= (connectionLoss?.sinceMs ?? this.heardAtMs);
    if (!hasHeard && connectionLoss === null && neededAtMs <= this.nowMs()) void this.ask();
    return hasHeard;
  }

  /** When something last arrived from the server, by its clock. */
  get heardAtMs(): number {
    return this.#serverMs(this.#link.heardAtMs);
  }

  ask(): Promise<void> {
    return this.#link.ask();
  }

  /** Returns the loss after `failure`, null without a failure. If `before` is not null, keeps its beginning. */
  lossAfter(before: ConnectionLoss | null, failure: Error | null, sinceLocalMs: number): ConnectionLoss | null {
    if (failure === null) return null;
    const heardAtMs = this.#serverMs(Math.max(sinceLocalMs, this.#link.heardAtMs));
    return { sinceMs: before?.sinceMs ?? heardAtMs, because: failure.message.split("\n")[0] ?? "" };
  }

  #serverMs(localMs: number): number {
    return this.clock.nowMs(localMs) ?? localMs;
  }
}
