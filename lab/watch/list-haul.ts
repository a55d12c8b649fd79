import { noticingJumps } from "../../src/cluster/connection/timers.ts";
import { ListSession } from "../../src/commands/list/watch-list.ts";
import { HOUR_MS, MINUTE_MS } from "../../src/kubelet/go-duration.ts";
import { type ListFrame, listNews } from "../../src/render/watch/live-list.ts";
import { S } from "../../test/support/builders.ts";
import { A_LOOK } from "../../test/support/list-items.ts";
import { aRawPod } from "../../test/support/raw-objects.ts";
import { LAB_PATHS, LabApi } from "./api.ts";
import { CrashLoop } from "./crash-loop.ts";
import { Faults, type FaultyWorld, nodeThatIs } from "./faults.ts";
import { Laptop } from "./laptop.ts";
import { passDays } from "./pass-days.ts";
import { RequestLog } from "./request-log.ts";
import { VirtualTimers } from "./virtual-timers.ts";

const LOOK = { ...A_LOOK, hasHeaders: false };

export class ListHaul implements FaultyWorld {
  readonly timers = new VirtualTimers();
  readonly api = new LabApi(this.timers);
  readonly laptop = new Laptop(this.timers);
  readonly requests = new RequestLog(this.api);
  readonly faults: Faults;
  readonly allLoops: CrashLoop[] = [];
  /** "UID RESTARTCOUNT" of each exit that a row reported. */
  readonly told = new Set<string>();
  /**
   * Rows with a lower restartCount than an earlier row of the pod, or with the same count after the container was up.
   */
  readonly toldBackwards: string[] = [];
  readonly compared = { times: 0, different: 0 };
  heapsMiB: readonly number[] = [];
  longestLossMs = 0;
  mostHeld = 0;
  #loops: CrashLoop[] = [];
  #session: ListSession | null = null;
  #watching: Promise<void> = Promise.resolve();
  #last: ListFrame | null = null;
  #born = 0;
  #gone = 0;
  readonly #downs = new Map<string, { restarts: number; isUp: boolean }>();

  constructor(pods: number, crashing: number) {
    this.api.put(LAB_PATHS.nodes, nodeThatIs("True"));
    for (let index = 0; index < pods - crashing; index++) this.#bear();
    for (let index = 0; index < crashing; index++) this.#loops.push(this.#newLoop(`crash-${index}`));
    this.faults = new Faults(this);
    this.#churn();
  }

  loops(): readonly CrashLoop[] {
    return this.#loops;
  }

  recreate(): void {
    const [first, ...others] = this.#loops;
    if (first === undefined) return;
    first.end();
    this.timers.after(2 * S, () => {
      this.#loops = [...others, this.#newLoop(first.name)];
    });
  }

  async run(days: number): Promise<void> {
    this.#watching = this.#watch();
    this.heapsMiB = await passDays(days, () => this.#hour());
    this.faults.stop();
    await this.timers.pass(10 * MINUTE_MS);
    await this.#compare();
    this.requests.take();
  }

  async end(): Promise<{ readonly timers: number; readonly watches: number }> {
    this.#session?.end();
    await this.timers.pass(1 * S);
    await this.#watching;
    return { timers: this.laptop.pending, watches: this.api.open };
  }

  async #hour(): Promise<void> {
    for (let part = 0; part < 20; part++) {
      await this.timers.pass(HOUR_MS / 20);
      await this.#compare();
    }
    this.requests.take();
  }

  async #watch(): Promise<void> {
    const timers = noticingJumps(this.laptop);
    this.#session = new ListSession(this.api.connection(), { namespace: "prod" }, {}, timers, {
      tickMs: 10 * MINUTE_MS,
    });
    for await (const frame of this.#session.frames()) {
      this.#hear(listNews(this.#last?.list ?? null, frame.list, LOOK));
      this.#last = frame;
      this.mostHeld = Math.max(this.mostHeld, this.#session.podCount);
      if (frame.connectionLoss !== null)
        this.longestLossMs = Math.max(this.longestLossMs, frame.list.atMs - frame.connectionLoss.sinceMs);
    }
  }

  #hear(news: string): void {
    for (const line of news.split("\n")) {
      const [, over] = /^prod\/(\S+) app (?:is no longer down|no longer crash-loops)\.$/.exec(line) ?? [];
      const [, inLoop] = /^(\S+) +\d+\/\d+ +running /.exec(line) ?? [];
      const up = over ?? inLoop;
      if (up !== undefined) this.#downs.set(up, { restarts: this.#downs.get(up)?.restarts ?? -1, isUp: true });
      const [, name, count] = /^(\S+) +\d+\/\d+ +[a-z ]+? +(\d+)/.exec(line) ?? [];
      if (name !== undefined && inLoop === undefined) this.#hearRow(name, Number(count), line);
    }
  }

  #hearRow(name: string, restarts: number, line: string): void {
    const before = this.#downs.get(name);
    const loop = this.#loops.find((one) => one.name === name);
    if (before !== undefined && (restarts < before.restarts || (restarts === before.restarts && before.isUp)))
      this.toldBackwards.push(line);
    this.#downs.set(name, { restarts, isUp: false });
    if (loop !== undefined) this.told.add(`${loop.uid} ${restarts}`);
  }

  /**
   * Compares the pods that are down in the list and in the API, if the list can be up to date. A change of this moment
   * gets another second.
   */
  async #compare(): Promise<void> {
    if (!this.#canKnow()) return;
    this.compared.times++;
    if (this.#isRight()) return;
    await this.timers.pass(1 * S);
    if (this.#canKnow() && !this.#isRight()) this.compared.different++;
  }

  #canKnow(): boolean {
    const nowMs = this.timers.nowMs();
    const isConnected = this.api.lives.some(
      ({ path, fromMs, untilMs }) => path === LAB_PATHS.pods && untilMs === null && nowMs - fromMs > 2 * S,
    );
    return isConnected && !this.laptop.isAsleep;
  }

  #isRight(): boolean {
    const items = (this.#last?.list.items ?? []).filter(({ state }) => state !== "running");
    const listed = items.map(({ pod, restartCount }) => `${pod} ${restartCount}`).sort();
    const down = this.api.stored(LAB_PATHS.pods).flatMap(downIn).sort();
    return listed.join() === down.join();
  }

  #newLoop(name: string): CrashLoop {
    const uid = `${name}-${this.timers.nowMs()}`;
    const loop = new CrashLoop(this, () => (30 + this.timers.random() * 500) * S, { name, uid, hasEvents: false });
    this.allLoops.push(loop);
    this.#downs.delete(name);
    return loop;
  }

  #churn(): void {
    this.timers.after(30 * S, () => {
      this.api.remove(LAB_PATHS.pods, `well-${this.#gone++}`);
      this.#bear();
      this.#churn();
    });
  }

  #bear(): void {
    const metadata = { name: `well-${this.#born}`, uid: `well-${this.#born}` };
    this.#born++;
    const state = { running: { startedAt: "2026-11-21T12:09:50Z" } };
    const app = { restartCount: 0, ready: true, state, lastState: {} };
    this.api.put(LAB_PATHS.pods, aRawPod({ metadata, app }));
  }
}

function downIn(stored: unknown): string[] {
  const { metadata, status } = stored as {
    metadata: { name: string };
    status?: { containerStatuses: [{ state: object; restartCount: number }] };
  };
  const [container] = status?.containerStatuses ?? [];
  if (container === undefined || "running" in container.state) return [];
  return [`${metadata.name} ${container.restartCount}`];
}

const ENOUGH_MS = 3_000;

/**
 * `knowable` are the exits on a reachable node that an open watch had `ENOUGH_MS` to report; `missed` are those of them
 * that no row reported.
 */
export function downsTold({ api, allLoops, told }: ListHaul) {
  const lives = api.lives.filter(({ path }) => path === LAB_PATHS.pods);
  const count = { downs: 0, knowable: 0, missed: 0 };
  for (const { runs, uid, cuts } of allLoops) {
    for (const [index, run] of runs.entries()) {
      if (run.finishedAtMs === null) continue;
      // The API cuts instants to the second: the container was surely down between these two instants.
      const fromMs = run.finishedAtMs + 1_000;
      const untilMs = runs[index + 1]?.startedAtMs ?? fromMs;
      const isCut = cuts.some((cut) => cut.fromMs < untilMs && cut.untilMs > fromMs);
      const isHeard = lives.some((life) => {
        const until = Math.min(untilMs, life.untilMs ?? Number.POSITIVE_INFINITY);
        return until - Math.max(fromMs, life.fromMs) >= ENOUGH_MS;
      });
      count.downs++;
      if (isCut || !isHeard) continue;
      count.knowable++;
      if (!told.has(`${uid} ${run.start}`)) count.missed++;
    }
  }
  return count;
}
