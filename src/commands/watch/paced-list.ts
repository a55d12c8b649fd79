import type { Connection } from "../../cluster/connection/connection.ts";
import type { Timers } from "../../cluster/connection/timers.ts";
import type { ListScope } from "../../cluster/list/list-pages.ts";
import { type ListHandler, ListWatcher } from "../../cluster/watch/list-watcher.ts";
import type { Overdue } from "../../explain/answer/explanation.ts";
import { type ConnectionLoss, lastingLoss } from "../../render/watch/live.ts";
import { FramePace, WatchTime } from "./watch-pace.ts";

export type PodHandler = Omit<ListHandler, "connectionChanged" | "nowMs">;

export class PacedList {
  readonly time: WatchTime;
  readonly #pace: FramePace;
  readonly #watch: ListWatcher;
  readonly #ending = new AbortController();
  #connectionLoss: ConnectionLoss | null = null;

  constructor(connection: Connection, scope: ListScope, handler: PodHandler, timers: Timers, tickMs?: number) {
    this.time = new WatchTime(connection, timers);
    const nowMs = (): number => this.time.nowMs();
    this.#pace = new FramePace(timers, nowMs, tickMs);
    const connectionChanged: ListHandler["connectionChanged"] = (failure, sinceLocalMs) => {
      this.#connectionLoss = this.time.lossAfter(this.#connectionLoss, failure, sinceLocalMs);
    };
    this.#watch = new ListWatcher(this.time.connection, scope, { ...handler, connectionChanged, nowMs }, timers);
  }

  news(): void {
    this.#pace.news();
  }

  hasHeardSince(overdue: readonly (Overdue | null)[]): boolean {
    return this.time.hasHeardSince(overdue, this.#connectionLoss);
  }

  lossAt(atMs: number): ConnectionLoss | null {
    return lastingLoss(this.#connectionLoss, atMs);
  }

  end(): void {
    this.#ending.abort();
    this.#pace.end();
  }

  /** Throws if the first list cannot be read. */
  async *turns(): AsyncGenerator<void> {
    const { signal } = this.#ending;
    if (!(await this.#begin(signal))) return;
    try {
      yield* this.#pace.turns(this.#watch.run(signal));
    } finally {
      this.end();
    }
  }

  async #begin(signal: AbortSignal): Promise<boolean> {
    const ended = new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
    const begun = this.#watch.list(signal).catch((error) => {
      if (!signal.aborted) throw error;
    });
    await Promise.race([begun, ended]);
    return !signal.aborted;
  }
}
