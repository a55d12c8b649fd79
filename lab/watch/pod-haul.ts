import { noticingJumps } from "../../src/cluster/connection/timers.ts";
import { linesOf } from "../../src/commands/watch/watch-explain.ts";
import { type Frame, WatchSession } from "../../src/commands/watch/watch-session.ts";
import { HOUR_MS, MINUTE_MS } from "../../src/kubelet/go-duration.ts";
import { S } from "../../test/support/builders.ts";
import { LAB_PATHS } from "./api.ts";
import { CrashLoop } from "./crash-loop.ts";
import { Faults, type FaultyWorld } from "./faults.ts";
import { Laptop } from "./laptop.ts";
import { passDays } from "./pass-days.ts";
import { firstOf, PodLab } from "./pod-lab.ts";
import { RequestLog } from "./request-log.ts";

/** The time between frames without news. With a frame each second, a simulated week would take too long. */
const TICK_MS = 10 * MINUTE_MS;

export interface Told {
  /** restartCounts, in the order in which lines reported them. */
  readonly starts: number[];
  /** The restartCounts that a line reported as "while disconnected". */
  readonly unseen: number[];
  readonly loop: CrashLoop;
}

export class PodHaul implements FaultyWorld {
  readonly lab = new PodLab();
  readonly laptop = new Laptop(this.lab.timers);
  readonly requests = new RequestLog(this.lab.api);
  readonly faults: Faults;
  readonly told: Told[] = [];
  heapsMiB: readonly number[] = [];
  /**
   * The largest error of the clock that frames show. Frames without a connection and frames soon after a clock was set
   * do not count.
   */
  clockOffMs = 0;
  longestLossMs = 0;
  mostEarlier = 0;
  last: Frame | null = null;
  readonly #counted = { kept: 0, missed: 0 };
  #loop: CrashLoop;
  #session: WatchSession | null = null;
  #isOver = false;
  #watching: Promise<void> = Promise.resolve();

  constructor() {
    this.#loop = this.#newLoop("uid-of-web-0");
    this.faults = new Faults(this);
  }

  get api() {
    return this.lab.api;
  }

  get timers() {
    return this.lab.timers;
  }

  get predictions(): { readonly kept: number; readonly missed: number } {
    const { kept = 0, missed = 0 } = this.last?.predictions ?? {};
    return { kept: this.#counted.kept + kept, missed: this.#counted.missed + missed };
  }

  loops(): readonly CrashLoop[] {
    return [this.#loop];
  }

  /** Waits for an open watch, which will report the deletion. */
  recreate(): void {
    if (!this.#isWatched()) {
      this.timers.after(5 * S, () => this.recreate());
      return;
    }
    this.#loop.end();
    this.timers.after(2 * S, () => {
      this.#loop = this.#newLoop(`uid-${this.timers.nowMs()}`);
    });
  }

  /** Watches for `days`, and then for ten minutes without faults, in which the watch catches up. */
  async run(days: number): Promise<void> {
    this.#watching = this.#watchAll();
    this.heapsMiB = await passDays(days, () => this.#hour());
    this.faults.stop();
    await this.timers.pass(10 * MINUTE_MS);
    this.requests.take();
  }

  async end(): Promise<{ readonly timers: number; readonly watches: number }> {
    this.#isOver = true;
    this.#session?.end();
    await this.timers.pass(1 * S);
    await this.#watching;
    return { timers: this.laptop.pending, watches: this.api.open };
  }

  async #hour(): Promise<void> {
    await this.timers.pass(HOUR_MS);
    this.requests.take();
    const { lives } = this.api;
    lives.splice(
      0,
      lives.findIndex(({ untilMs }) => untilMs === null),
    );
  }

  #newLoop(uid: string): CrashLoop {
    return new CrashLoop(this, () => (30 + this.timers.random() * 500) * S, { uid });
  }

  #isWatched(): boolean {
    const life = this.api.lives.findLast(({ path, untilMs }) => path === LAB_PATHS.pods && untilMs === null);
    return life !== undefined && this.timers.nowMs() - life.fromMs > 5 * S;
  }

  async #watchAll(): Promise<void> {
    while (!this.#isOver) {
      const raw = await this.#firstLook();
      if (raw !== null) await this.#watch(raw);
      else await new Promise<void>((resolve) => void this.timers.after(1 * S, resolve));
    }
  }

  async #firstLook(): Promise<object | null> {
    const { body } = await this.api
      .connection()
      .get(`${LAB_PATHS.pods}/web-0`)
      .catch(() => ({ body: null }));
    return body as object | null;
  }

  async #watch(raw: object): Promise<void> {
    const first = firstOf(raw);
    const observation = { atMs: this.timers.nowMs(), atBasis: "server-clock" as const, pods: [first] };
    const request = { observation, first, nodeConfig: "auto" as const, kubelet: {} };
    const session = new WatchSession(this.api.connection(), request, noticingJumps(this.laptop), TICK_MS);
    this.#session = session;
    const told: Told = { starts: [], unseen: [], loop: this.#loop };
    this.told.push(told);
    const linesIn = linesOf({ columns: 80, color: false }, true);
    for await (const frame of session.frames()) {
      this.#look(frame);
      hear(linesIn({ frames: [frame] }), told);
    }
    this.#counted.kept += this.last?.predictions.kept ?? 0;
    this.#counted.missed += this.last?.predictions.missed ?? 0;
    this.last = null;
  }

  #look(frame: Frame): void {
    const { nowMs: atMs } = frame;
    this.last = frame;
    this.mostEarlier = Math.max(this.mostEarlier, frame.observed.earlier.length);
    if (this.timers.nowMs() - this.faults.clockSetAtMs > TICK_MS + 5 * S && frame.connectionLoss === null) {
      this.clockOffMs = Math.max(this.clockOffMs, Math.abs(atMs - this.timers.nowMs()));
    }
    if (frame.connectionLoss !== null) {
      this.longestLossMs = Math.max(this.longestLossMs, atMs - frame.connectionLoss.sinceMs);
    }
  }
}

function hear(text: string, { starts, unseen }: Told): void {
  for (const [, isUnseen, first, last] of text.matchAll(
    /(while disconnected )?\((?:restart )?(\d+)(?: to (\d+))?\)/g,
  )) {
    const from = Number(first);
    const all = Array.from({ length: Number(last ?? first) - from + 1 }, (_, index) => from + index);
    starts.push(...all);
    if (isUnseen !== undefined) unseen.push(...all);
  }
}

/**
 * `missed`: restarts that no line reported. `twice`: restarts that lines reported again. `made`: reported restarts that
 * never happened.
 */
export function missedAndTwice(told: readonly Told[]) {
  const missed = told.flatMap(({ loop, starts }) =>
    loop.runs.slice(1).filter(({ start }) => !starts.includes(start)),
  ).length;
  const twice = told.flatMap(({ starts }) => starts.filter((start, index) => starts.indexOf(start) !== index)).length;
  const made = told.flatMap(({ loop, starts }) => starts.filter((start) => loop.runs[start] === undefined)).length;
  const total = told.reduce((sum, { loop }) => sum + loop.runs.length - 1, 0);
  return { total, missed, twice, made, unseen: told.reduce((sum, { unseen }) => sum + unseen.length, 0) };
}
