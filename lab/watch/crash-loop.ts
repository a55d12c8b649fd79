import { type BackoffEntry, hasExpired, isInBackOffSince, next } from "../../src/backoff/backoff.ts";
import { crashLoopPolicy } from "../../src/kubelet/crash-loop-policy.ts";
import { floorToSecond } from "../../src/kubelet/go-duration.ts";
import { nextSyncAfterMs, TICK_MS } from "../../src/kubelet/retry-rule.ts";
import { aRawEvent, aRawPod } from "../../test/support/raw-objects.ts";
import { rfc3339 } from "../api-server/container-statuses.ts";
import { LAB_PATHS, type LabApi } from "./api.ts";
import type { VirtualTimers } from "./virtual-timers.ts";

/** Instants in whole seconds, as the API reports them. */
interface TrueRun {
  readonly start: number;
  readonly startedAtMs: number;
  readonly finishedAtMs: number | null;
}

export interface LabWorld {
  readonly api: LabApi;
  readonly timers: VirtualTimers;
}

interface LoopOptions {
  readonly name: string;
  readonly uid: string;
  readonly hasEvents: boolean;
  /** The container prints a line when it starts, after each of these pauses, and when it exits. Null: nothing. */
  readonly printsEveryMs: number | null;
}

/** Must agree with the configuration of `aRawConfig()`. */
const POLICY = crashLoopPolicy({
  version: { major: 1, minor: 37 },
  featureGates: {},
  maxContainerRestartPeriodMs: 60_000,
  syncFrequencyMs: 60_000,
});

export class CrashLoop {
  readonly name: string;
  readonly uid: string;
  readonly runs: TrueRun[] = [];
  readonly cuts: { readonly fromMs: number; untilMs: number }[] = [];
  readonly #lab: LabWorld;
  readonly #hasEvents: boolean;
  readonly #printsEveryMs: number | null;
  readonly #runMs: () => number;
  #entry: BackoffEntry | undefined;
  #lastState: object = {};
  #state: object = {};
  #backOffs = 0;
  #exitedAtMs: number | null = null;
  #callOff: () => void = () => {};
  #isCutOff = false;
  #isEnded = false;

  constructor(lab: LabWorld, runMs: () => number, options: Partial<LoopOptions> = {}) {
    this.#lab = lab;
    this.#runMs = runMs;
    this.name = options.name ?? "web-0";
    this.uid = options.uid ?? "uid-of-web-0";
    this.#hasEvents = options.hasEvents ?? true;
    this.#printsEveryMs = options.printsEveryMs ?? null;
    this.#start();
  }

  get restartCount(): number {
    return this.runs.length - 1;
  }

  get isDown(): boolean {
    return this.#exitedAtMs !== null;
  }

  end(): void {
    this.#isEnded = true;
    this.#callOff();
    this.#lab.api.remove(LAB_PATHS.pods, this.name);
  }

  /** Forgets the back-off, and looks at an exited container within two seconds. */
  restartKubelet(): void {
    this.#entry = undefined;
    if (this.#exitedAtMs === null) return;
    const exitedAtMs = this.#exitedAtMs;
    this.#plan(500 + this.#lab.timers.random() * 1_500, () => this.#look(exitedAtMs, false));
  }

  /** `isCutOff` false: the node is reachable again, and the latest state of the pod arrives. */
  cutOff(isCutOff: boolean): void {
    this.#isCutOff = isCutOff;
    if (isCutOff) this.cuts.push({ fromMs: this.#lab.timers.nowMs(), untilMs: Number.POSITIVE_INFINITY });
    const cut = this.cuts.at(-1);
    if (isCutOff || this.#isEnded || cut === undefined) return;
    cut.untilMs = this.#lab.timers.nowMs();
    this.#put(this.#state);
  }

  #plan(ms: number, act: () => void): void {
    this.#callOff();
    this.#callOff = this.#lab.timers.after(ms, act);
  }

  #start(): void {
    const { timers } = this.#lab;
    const run = { start: this.runs.length, startedAtMs: floorToSecond(timers.nowMs()), finishedAtMs: null };
    this.runs.push(run);
    this.#exitedAtMs = null;
    this.#put({ running: { startedAt: rfc3339(run.startedAtMs) } });
    this.#event("Started", run.start + 1);
    this.#print(run.start, 0);
    this.#plan(this.#runMs(), () => this.#exit());
  }

  #exit(): void {
    const { timers } = this.#lab;
    const exitedAtMs = timers.nowMs();
    const run = this.#current();
    this.runs[run.start] = { ...run, finishedAtMs: floorToSecond(exitedAtMs) };
    this.#exitedAtMs = exitedAtMs;
    if (this.#printsEveryMs !== null) {
      this.#lab.api.logs.write(this.containerID(run.start), "exits\n", exitedAtMs);
      this.#lab.api.logs.end(this.containerID(run.start));
    }
    const times = { startedAt: rfc3339(run.startedAtMs), finishedAt: rfc3339(exitedAtMs) };
    const terminated = { exitCode: 1, reason: "Error", ...times, containerID: this.containerID(run.start) };
    this.#put({ terminated });
    this.#lastState = { terminated };
    this.#plan(500 + timers.random() * 500, () => this.#look(exitedAtMs, true));
  }

  #look(exitedAtMs: number, isFirst: boolean): void {
    const { timers } = this.#lab;
    const nowMs = timers.nowMs();
    if (this.#entry !== undefined && hasExpired(this.#entry, nowMs, POLICY)) this.#entry = undefined;
    if (!isInBackOffSince(this.#entry, exitedAtMs, nowMs, POLICY)) {
      this.#entry = next(this.#entry, exitedAtMs, nowMs, POLICY);
      this.#plan(100 + timers.random() * 900, () => this.#start());
      return;
    }
    if (!isFirst) this.#put({ waiting: { reason: "CrashLoopBackOff" } });
    this.#event("BackOff", ++this.#backOffs);
    const [leastMs, mostMs] = nextSyncAfterMs(POLICY.retry, exitedAtMs + (this.#entry?.delayMs ?? 0) - nowMs);
    const untilMs = leastMs + timers.random() * (mostMs - leastMs) + timers.random() * TICK_MS;
    this.#plan(untilMs, () => this.#look(exitedAtMs, false));
  }

  #print(start: number, line: number): void {
    const printsEveryMs = this.#printsEveryMs;
    if (printsEveryMs === null || start !== this.restartCount || this.isDown) return;
    this.#lab.api.logs.write(this.containerID(start), `run ${start}, line ${line}\n`, this.#lab.timers.nowMs());
    this.#lab.timers.after(printsEveryMs, () => this.#print(start, line + 1));
  }

  #current(): TrueRun {
    const run = this.runs.at(-1);
    if (run === undefined) throw new Error("nothing runs");
    return run;
  }

  containerID(start: number): string {
    return `containerd://${this.uid}-${start}`;
  }

  #put(state: object): void {
    this.#state = state;
    if (this.#isCutOff) return;
    const { name, uid } = this;
    const { start } = this.#current();
    const container = { name: "app", restartCount: start, ready: false, containerID: this.containerID(start) };
    const startTime = rfc3339(this.runs[0]?.startedAtMs ?? 0);
    const status = { phase: "Running", startTime };
    const containerStatuses = [{ ...container, state, lastState: this.#lastState }];
    const raw = aRawPod({ metadata: { name, uid, creationTimestamp: startTime } });
    this.#lab.api.put(LAB_PATHS.pods, { ...raw, status: { ...status, containerStatuses } });
  }

  /**
   * client-go may drop events about an object after a burst of 25 (`defaultSpamBurst`, client-go v0.37.1,
   * tools/record/events_cache.go). Here, every third event of a reason still comes then.
   */
  #event(reason: string, count: number): void {
    if (!this.#hasEvents || this.#isCutOff || (count > 25 && count % 3 > 0)) return;
    const { uid } = this;
    const about = { fieldPath: "spec.containers{app}", uid };
    const now = rfc3339(this.#lab.timers.nowMs());
    const type = reason === "BackOff" ? "Warning" : "Normal";
    const event = { ...aRawEvent(`${reason}-${uid}`, about), type, reason, count, lastTimestamp: now };
    this.#lab.api.put(LAB_PATHS.events, event);
  }
}
