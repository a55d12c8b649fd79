import { hasExpired, isInBackOffSince, type MaybeEntry, next } from "../../../src/backoff/backoff.ts";
import { crashLoopPolicy } from "../../../src/kubelet/policy.ts";
import { nextLookAfterMs, TICK_MS } from "../../../src/kubelet/retry-rule.ts";
import { aRawEvent, aRawPod } from "../api-server.ts";
import { LAB_PATHS, type PodLab } from "./pod-lab.ts";

/** What really happened: the instants as the API would name them. */
export interface TrueRun {
  readonly start: number;
  readonly startedAtMs: number;
  readonly finishedAtMs: number | null;
}

/** What `aRawConfig()` says of the node's kubelet. */
const POLICY = crashLoopPolicy({
  version: { major: 1, minor: 37 },
  featureGates: {},
  maxContainerRestartPeriodMs: 60_000,
  syncFrequencyMs: 60_000,
});

const second = (ms: number): number => Math.floor(ms / 1000) * 1000;
const time = (ms: number): string => new Date(second(ms)).toISOString().replace(".000", "");

/** A kubelet's work on a container that exits again and again, in the lab's time: pod versions, events, looks and back-off. */
export class CrashLoop {
  readonly runs: TrueRun[] = [];
  readonly #lab: PodLab;
  readonly #runMs: () => number;
  #entry: MaybeEntry;
  #lastState: object = {};
  #backOffs = 0;

  constructor(lab: PodLab, runMs: () => number) {
    this.#lab = lab;
    this.#runMs = runMs;
    this.#start();
  }

  #start(): void {
    const { timers } = this.#lab;
    const run = { start: this.runs.length, startedAtMs: second(timers.nowMs()), finishedAtMs: null };
    this.runs.push(run);
    this.#put({ running: { startedAt: time(run.startedAtMs) } });
    this.#event("Started", run.start + 1);
    timers.after(this.#runMs(), () => this.#exit());
  }

  #exit(): void {
    const { timers } = this.#lab;
    const exitedAtMs = timers.nowMs();
    const run = this.#current();
    this.runs[run.start] = { ...run, finishedAtMs: second(exitedAtMs) };
    const times = { startedAt: time(run.startedAtMs), finishedAt: time(exitedAtMs) };
    const terminated = { exitCode: 1, reason: "Error", ...times, containerID: `containerd://${run.start}` };
    this.#put({ terminated });
    this.#lastState = { terminated };
    timers.after(500 + timers.random() * 500, () => this.#look(exitedAtMs, true));
  }

  /** A sync of the pod: it starts the container, or plans the next look. */
  #look(exitedAtMs: number, isFirst: boolean): void {
    const { timers } = this.#lab;
    const nowMs = timers.nowMs();
    if (this.#entry !== undefined && hasExpired(this.#entry, nowMs, POLICY)) this.#entry = undefined;
    if (!isInBackOffSince(this.#entry, exitedAtMs, nowMs, POLICY)) {
      this.#entry = next(this.#entry, exitedAtMs, nowMs, POLICY);
      timers.after(100 + timers.random() * 900, () => this.#start());
      return;
    }
    if (!isFirst) this.#put({ waiting: { reason: "CrashLoopBackOff" } });
    this.#event("BackOff", ++this.#backOffs);
    const [leastMs, mostMs] = nextLookAfterMs(POLICY.retry, exitedAtMs + (this.#entry?.delayMs ?? 0) - nowMs);
    const untilMs = leastMs + timers.random() * (mostMs - leastMs) + timers.random() * TICK_MS;
    timers.after(untilMs, () => this.#look(exitedAtMs, false));
  }

  #current(): TrueRun {
    const run = this.runs.at(-1);
    if (run === undefined) throw new Error("nothing runs");
    return run;
  }

  #put(state: object): void {
    const { start } = this.#current();
    const container = { name: "app", restartCount: start, ready: false, containerID: `containerd://${start}` };
    const status = { phase: "Running", startTime: time(this.runs[0]?.startedAtMs ?? 0) };
    const containerStatuses = [{ ...container, state, lastState: this.#lastState }];
    this.#lab.put(LAB_PATHS.pods, { ...aRawPod(), status: { ...status, containerStatuses } });
  }

  /** The kubelet sends 25 events of a type at once, then one in five minutes. */
  #event(reason: string, count: number): void {
    if (count > 25 && count % 3 > 0) return;
    const about = { fieldPath: "spec.containers{app}" };
    const now = time(this.#lab.timers.nowMs());
    const type = reason === "BackOff" ? "Warning" : "Normal";
    const event = { ...aRawEvent(reason, about), type, reason, count, lastTimestamp: now };
    this.#lab.put(LAB_PATHS.events, event);
  }
}
