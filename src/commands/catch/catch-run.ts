import type { Connection } from "../../cluster/connection/connection.ts";
import type { Timers } from "../../cluster/connection/timers.ts";
import { endOfLog } from "../../cluster/pods/observe-logs.ts";
import { type EndedRun, LogFollower } from "../../cluster/watch/follow-log.ts";
import { Arrivals } from "../../cluster/watch/record-arrivals.ts";
import { UserError } from "../../errors.ts";
import type { Explanation } from "../../explain/answer/explanation.ts";
import { conditionFor, type WaitCondition } from "../../explain/follow/wait-for.ts";
import { type ObservedRun, observedRuns } from "../../explain/history/runs.ts";
import type { StepsRequest } from "../../explain/next-steps/next-steps.ts";
import type { Catch, Disconnection } from "../../explain/observed/catch.ts";
import type { ContainerStatus, PodObservation } from "../../explain/observed/observation.ts";
import { explainWithOwners } from "../../explain/owners/owner-explanation.ts";
import type { PolicyOverrides } from "../../explain/replay/policy-of-pod.ts";
import { lastingLoss } from "../../render/watch/live.ts";
import { redactedCopies } from "../../report/redacted-copies.ts";
import { DEFAULT_LINES } from "../flags/explain-flags.ts";
import { WatchTime } from "../watch/watch-pace.ts";
import { type Frame, podOf, type SessionRequest, WatchSession, waitedFor } from "../watch/watch-session.ts";

interface CatchRequest extends Pick<SessionRequest, "observation" | "first" | "kubelet"> {
  /** Whether this pod replaces a deleted pod. If so, the pod's first run counts, too. */
  readonly isReplacement: boolean;
  readonly willBeReplaced: boolean;
  readonly container: string;
  /** Whether to record the current run instead of the next run. Has no effect if the container is not running. */
  readonly isNow: boolean;
  /** With "recovered", the recording ends when the container has recovered or exits, whichever comes first. */
  readonly goal: "exit" | "recovered";
  /** With Infinity, there is no limit; with 0, the command records what there is now. */
  readonly timeoutMs: number;
  readonly mostLogBytes: number;
  readonly whenInterrupted: Promise<void>;
  readonly onFrame: (frame: Frame) => void;
  readonly onWaiting: (frame: Frame) => void;
  readonly onBegun: (run: ObservedRun) => void;
}

export interface Caught extends Frame {
  readonly catch: Catch;
}

/** Assumed: the events about the exit arrive within this time. */
const RECORDED_AFTER_EXIT_MS = 2_000;

export class RunCatcher {
  readonly #request: CatchRequest;
  readonly #timers: Timers;
  readonly #arrivals: Arrivals;
  readonly #log: LogFollower;
  readonly #session: WatchSession;
  readonly #begins: WaitCondition;
  readonly #recovers: WaitCondition;
  #observed: PodObservation;
  #run: ObservedRun | null = null;
  #ended: Catch["ended"] | null = null;
  #disconnected: readonly Disconnection[] = [];

  constructor(connection: Connection, request: CatchRequest, timers: Timers) {
    const { first, observation, container, mostLogBytes } = request;
    this.#request = request;
    this.#timers = timers;
    this.#observed = first;
    const time = new WatchTime(connection, timers);
    const nowMs = (): number => Math.round(time.nowMs());
    this.#arrivals = new Arrivals(first.pod.uid, nowMs);
    for (const object of [...(first.owners?.objects ?? []), ...(first.objects ?? [])])
      this.#arrivals.add(object, observation.atMs);
    const place = { namespace: first.pod.namespace, pod: first.pod.name, container };
    this.#log = new LogFollower(time.connection, place, mostLogBytes, nowMs, timers);
    const watched = { ...request, container: undefined, nodeConfig: "auto" as const, followsOwners: false, time };
    this.#session = new WatchSession(this.#arrivals.on(time.connection), watched, timers);
    this.#begins = conditionFor("restart", container, request.isReplacement);
    this.#recovers = conditionFor("recovered", container);
  }

  /**
   * Returns "deleted" if `willBeReplaced` is set and the pod is deleted before the run begins. In all other cases in
   * which the run can no longer begin, throws a UserError.
   */
  async run(): Promise<Caught | "deleted"> {
    const { timeoutMs, whenInterrupted } = this.#request;
    const callOff = Number.isFinite(timeoutMs) ? this.#timers.after(timeoutMs, () => this.#end("timed-out")) : null;
    void whenInterrupted.then(() => this.#end("interrupted"));
    let last: Frame | null = null;
    let finishing: Promise<unknown> | null = null;
    try {
      for await (const frame of this.#session.frames()) {
        last = frame;
        this.#observed = frame.observed;
        this.#follow(frame);
        if (finishing !== null) continue;
        if (this.#run === null && this.#beginIfStarted(frame) === "deleted") return "deleted";
        if (timeoutMs === 0) await this.#recordNow();
        if (this.#run === null) continue;
        if (this.#isOver(this.#run)) finishing = this.#finish();
        else if (frame.end !== null) this.#end("deleted");
        else if (this.#hasRecovered(frame)) this.#end("recovered");
      }
      // After Ctrl-C, for example, the program does not wait for the rest of the log.
      if (this.#ended === null || this.#ended === "exited") await finishing;
      else finishing?.catch(() => {});
    } finally {
      callOff?.();
      this.#log.stop();
      this.#session.end();
    }
    if (last === null) throw new Error("a watch without any frame");
    return { ...last, catch: this.#caught() };
  }

  async #recordNow(): Promise<void> {
    if (this.#run !== null) await this.#log.finish(() => this.#endedRun());
    this.#end("timed-out");
  }

  #follow(frame: Frame): void {
    this.#request.onFrame(frame);
    const connectionLoss = lastingLoss(frame.connectionLoss, frame.nowMs);
    const last = this.#disconnected.at(-1);
    const isLost = last?.untilMs === null;
    if (connectionLoss !== null && !isLost)
      this.#disconnected = [...this.#disconnected, { ...connectionLoss, untilMs: null }];
    if (connectionLoss !== null || !isLost) return;
    this.#disconnected = [...this.#disconnected.slice(0, -1), { ...last, untilMs: frame.nowMs }];
  }

  #end(how: Catch["ended"]): void {
    this.#ended ??= how;
    this.#session.end();
  }

  #beginIfStarted(frame: Frame): "deleted" | null {
    const { isNow, onWaiting, onBegun } = this.#request;
    const runs = this.#runs();
    const newest = runs.at(-1);
    const isCurrent = isNow && newest?.finishedAtMs === null && frame.end === null;
    const state = waitedFor(frame, this.#begins);
    if (state.kind === "impossible" && !isCurrent) {
      if (state.isDeleted && this.#request.willBeReplaced) return "deleted";
      throw new UserError("cannotHappen", podOf(frame.explanation).name, "will not restart", state.because);
    }
    if (state.kind === "waiting" && !isCurrent) {
      onWaiting(frame);
      return null;
    }
    const start = state.kind === "happened" ? state.start : newest?.start;
    const unobserved = { containerID: null, startedAtMs: null, finishedAtMs: null, exit: null };
    this.#run = runs.findLast((run) => run.start === start) ?? { ...unobserved, start: start ?? 0 };
    onBegun(this.#run);
    if (this.#run.finishedAtMs === null) this.#log.start();
    return null;
  }

  #hasRecovered(frame: Frame): boolean {
    return this.#request.goal === "recovered" && waitedFor(frame, this.#recovers).kind === "happened";
  }

  #runs(): readonly ObservedRun[] {
    const { pod, earlier } = this.#observed;
    return observedRuns(this.#request.container, [...earlier, pod]);
  }

  #isOver({ start }: ObservedRun): boolean {
    const runs = this.#runs();
    const found = runs.findLast((run) => this.#isRecorded(run));
    const newest = runs.at(-1);
    if (found === undefined) return (newest?.start ?? 0) > start;
    this.#run = found;
    return found.finishedAtMs !== null || found !== newest;
  }

  #isRecorded({ containerID, start }: ObservedRun): boolean {
    const id = this.#run?.containerID ?? null;
    return id === null || containerID === null ? start === this.#run?.start : containerID === id;
  }

  async #finish(): Promise<void> {
    const settled = new Promise<void>((resolve) => void this.#timers.after(RECORDED_AFTER_EXIT_MS, resolve));
    await Promise.all([this.#log.finish(() => this.#endedRun()), settled]);
    this.#end("exited");
  }

  #endedRun(): EndedRun {
    const runs = this.#runs();
    const next = runs[runs.findLastIndex((run) => this.#isRecorded(run)) + 1];
    const status = this.#observed.pod.statuses.find(({ name }) => name === this.#request.container);
    return { instance: instanceOf(this.#run?.containerID ?? null, status), nextStartedAtMs: next?.startedAtMs ?? null };
  }

  #caught(): Catch {
    const { container, first } = this.#request;
    const arrivals = this.#arrivals.all();
    const objects = arrivals.map(({ kind, object }) => ({ kind, raw: object }));
    const copies = redactedCopies(objects, first.pod.name);
    const run = this.#run;
    const log = this.#log.result();
    return {
      container,
      run: run && {
        start: run.start,
        startedAtMs: run.startedAtMs,
        finishedAtMs: run.finishedAtMs,
        exitCode: run.exit?.exitCode ?? null,
      },
      ended: this.#ended ?? "exited",
      log: { ...log, isComplete: log.isComplete && run?.finishedAtMs != null },
      disconnected: this.#disconnected,
      arrivals: arrivals.map((arrival, index) => ({ ...arrival, object: copies[index] })),
    };
  }
}

export function explainedWithLog(caught: Caught, kubelet: PolicyOverrides, steps: StepsRequest): Explanation {
  const { container, run, log } = caught.catch;
  const { atMs, atBasis } = caught.explanation;
  const lines = log.lines.map(({ text }) => text);
  const instance = run === null || run.finishedAtMs === null ? "running" : "last-exit";
  const ends = [{ container, instance, ...endOfLog(lines, log.leftOut.lines, DEFAULT_LINES) } as const];
  const pods = [{ ...caught.observed, logs: lines.length === 0 ? [] : ends }];
  return explainWithOwners({ atMs, atBasis, pods }, kubelet, steps);
}

/**
 * See `validateContainerLogStatus` (kubernetes v1.37.1, pkg/kubelet/kubelet_pods.go). Assumed: an instance without an
 * ID is the current instance.
 */
function instanceOf(id: string | null, status: ContainerStatus | undefined): EndedRun["instance"] {
  const { state = null, lastState = null, containerID = null } = status ?? {};
  const isNamed = state?.kind === "running" || state?.kind === "terminated";
  const current = state?.kind === "terminated" ? (state.containerID ?? lastState?.containerID ?? null) : containerID;
  if (id === null || (isNamed && current === id)) return "current";
  if (lastState?.containerID !== id) return "gone";
  return isNamed ? "previous" : "current";
}
