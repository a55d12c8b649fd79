import { restartingExits } from "../../kubelet/restart-policy.ts";
import type { ContainerExplanation, PodExplanation, State } from "../answer/explanation.ts";
import { mayRestartAll, restartSpecOf } from "../history/restart-rules.ts";
import { hiddenRun, type SeenRun, seenRuns } from "../history/runs.ts";
import { conditionOf } from "../observed/lookups.ts";
import type { ContainerSpec, PodObservation, PodSnapshot } from "../observed/observation.ts";
import { isOver } from "../prediction/state.ts";

/** What can be waited for, in the words of `--for`. */
export const WAIT_GOALS = ["restart", "reset", "recovered"] as const;

/** One of them. */
export type WaitGoal = (typeof WAIT_GOALS)[number];

/** A pod as it was seen, with its explanation for the same moment. */
export interface Look {
  readonly observed: PodObservation;
  readonly explained: PodExplanation;
  readonly atMs: number;
}

/** What a look says of the thing that is waited for. */
export type WaitState =
  | { readonly kind: "waiting" }
  /** `start` is the restartCount of the instance that it is about; null where it is about none. */
  | {
      readonly kind: "happened";
      readonly container: string | null;
      readonly start: number | null;
      readonly atMs: number;
    }
  /** It cannot happen any more: why, as the end of a sentence about the pod. */
  | { readonly kind: "impossible"; readonly because: string };

/** Judges one look after another, in order; what was at the first look is what newer things are compared with. */
export type WaitCondition = (look: Look) => WaitState;

const CONDITIONS: Readonly<Record<WaitGoal, (container: string | undefined) => WaitCondition>> = {
  restart: restarts,
  reset: resets,
  recovered: recovery,
};

/**
 * The condition for `goal`: of one container, or without a name of the pod. restart: an instance newer than those of the
 * first look. reset: no container has a back-off entry any more. recovered: every container runs past its reset, and the
 * pod is Ready.
 */
export function conditionFor(goal: WaitGoal, container: string | undefined): WaitCondition {
  const condition = CONDITIONS[goal](container);
  return (look) => {
    const state = condition(look);
    return state.kind !== "happened" && isOver(look.observed.pod) ? overFor(look.observed) : state;
  };
}

function overFor({ pod }: PodObservation): WaitState {
  if (pod.deletionAtMs !== null) return { kind: "impossible", because: "it is being deleted" };
  return { kind: "impossible", because: pod.phase === "Failed" ? "it has failed for good" : "it has completed" };
}

/** The container, or each that is there to run, runs without a back-off entry, and the pod is Ready. */
function recovery(container: string | undefined): WaitCondition {
  return (look) => {
    const meant = look.explained.containers.filter(({ name, type }) => {
      return container === undefined ? type === "app" || type === "sidecar" : name === container;
    });
    const ended = meant.find(({ state }) => state === "completed" || state === "failed");
    if (ended !== undefined) return { kind: "impossible", because: `its container ${ended.name} has ended for good` };
    if (!isReady(look) || !meant.every(isPastItsReset)) return { kind: "waiting" };
    return { kind: "happened", container: container ?? null, start: null, atMs: look.atMs };
  };
}

function isPastItsReset({ state, delayMs }: ContainerExplanation): boolean {
  return state === "running" && delayMs === 0;
}

function isReady({ observed }: Look): boolean {
  return conditionOf(observed.pod, "Ready")?.status === "True";
}

/** The back-off entry of the container, or of each that starts again, has expired or been dropped. At once if there is none: of no container then. */
function resets(container: string | undefined): WaitCondition {
  const entries = new Map<string, Entry>();
  return ({ explained, atMs }) => {
    const meant = explained.containers.filter(({ name, type, state }) => {
      if (state === "completed" || state === "failed") return false;
      return container === undefined ? type !== "ephemeral" : name === container;
    });
    for (const explanation of meant) {
      const entry = entries.get(explanation.name) ?? new Entry();
      entry.look(explanation, atMs);
      entries.set(explanation.name, entry);
    }
    if (meant.length === 0) return { kind: "impossible", because: NOTHING_STARTS };
    const left = meant.some(({ name }) => entries.get(name)?.resetAtMs == null);
    if (left) return { kind: "waiting" };
    if ([...entries.values()].every(({ hadNone }) => hadNone)) {
      return { kind: "happened", container: null, start: null, atMs };
    }
    const last = meant.toSorted((a, b) => resetAtMsOf(b, entries) - resetAtMsOf(a, entries))[0];
    return { kind: "happened", container: last?.name ?? null, start: null, atMs: resetAtMsOf(last, entries) };
  };
}

const NOTHING_STARTS = "nothing that has ended in it starts again, so there is no back-off";

function resetAtMsOf(explanation: ContainerExplanation | undefined, entries: ReadonlyMap<string, Entry>): number {
  return entries.get(explanation?.name ?? "")?.resetAtMs ?? 0;
}

/** A container's back-off entry over several looks. */
class Entry {
  /** When it went; null as long as it is there or nothing is known. */
  resetAtMs: number | null = null;
  /** There was none at the first look. */
  hadNone = false;
  #isKnown = false;
  #largestDelayMs = 0;
  #promisedAtMs: number | null = null;

  look({ state, delayMs: delayNowMs, ifItExits, reset }: ContainerExplanation, atMs: number): void {
    // A kill by a probe may wait for nothing although there is an entry: an exit by itself shows the entry's delay.
    const delayMs = ifItExits?.find(({ how }) => how === "exits")?.delayMs ?? delayNowMs;
    if (this.resetAtMs !== null) return;
    const promised = this.#promisedAtMs;
    if (promised !== null && promised <= atMs && (reset === null || reset.atMs <= atMs)) this.resetAtMs = promised;
    // A curve only ever rises: a smaller delay than before is one that has begun anew.
    else if (
      (delayMs === 0 && reset === null) ||
      (state === "running" && delayMs !== null && delayMs < this.#largestDelayMs)
    ) {
      this.resetAtMs = atMs;
      this.hadNone = !this.#isKnown;
    }
    this.#isKnown = true;
    // The wait that is under way may be one that the entry no longer has: what counts is what the next exit waits for.
    if (state === "running" || reset !== null) this.#promisedAtMs = reset?.atMs ?? null;
    this.#largestDelayMs = Math.max(this.#largestDelayMs, delayMs ?? 0);
  }
}

/** An instance newer than those at the first look: of the container, or of any but the ephemeral ones. */
function restarts(container: string | undefined): WaitCondition {
  let before: ReadonlyMap<string, SeenRun | undefined> | null = null;
  return (look) => {
    const newest = newestRuns(look.observed, container);
    before ??= newest;
    for (const [name, run] of newest) {
      if (run === undefined || !isNewer(run, before.get(name))) continue;
      return { kind: "happened", container: name, start: run.start, atMs: run.startedAtMs ?? look.atMs };
    }
    return canRestart(look, container) ? { kind: "waiting" } : { kind: "impossible", because: stopped(container) };
  };
}

function stopped(container: string | undefined): string {
  const whose = container === undefined ? "no container of it" : `its container ${container} never`;
  return `${whose} starts again, by its restart policy`;
}

function newestRuns(observed: PodObservation, container: string | undefined): Map<string, SeenRun | undefined> {
  const specs = meant(observed.pod, container);
  return new Map(
    specs.map((spec) => {
      const seen = seenRuns(spec.name, [...observed.earlier, observed.pod]);
      return [spec.name, hiddenRun(spec, seen, observed) ?? seen.at(-1)];
    }),
  );
}

function meant({ containers }: PodSnapshot, container: string | undefined): readonly ContainerSpec[] {
  return containers.filter(({ name, type }) => (container === undefined ? type !== "ephemeral" : name === container));
}

/** By containerID, for the numbers may be off by one; a start that the status hides has a number only. */
function isNewer(run: SeenRun, before: SeenRun | undefined): boolean {
  if (before === undefined) return true;
  if (run.containerID === null || before.containerID === null) return run.start > before.start;
  return run.containerID !== before.containerID && run.start >= before.start;
}

function canRestart({ observed: { pod }, explained }: Look, container: string | undefined): boolean {
  const isUpFor = ({ name }: ContainerSpec, test: (state: State | undefined) => boolean): boolean =>
    test(explained.containers.find((candidate) => candidate.name === name)?.state);
  return (
    pod.containers.some((spec) => mayRestartAll(spec) && isUpFor(spec, hasNotEnded)) ||
    meant(pod, container).some((spec) =>
      isUpFor(spec, (state) => hasNotEnded(state) && (state !== "running" || mayRestart(spec, pod))),
    )
  );
}

function hasNotEnded(state: State | undefined): boolean {
  return state !== "completed" && state !== "failed";
}

/** Whether there may be an exit after which it starts again. */
function mayRestart(spec: ContainerSpec, pod: PodSnapshot): boolean {
  return restartingExits(restartSpecOf(spec, pod), ALL_RULES) !== "none";
}

/** Whoever waits would rather wait in vain than miss what a kubelet does that is newer than it was taken for. */
const ALL_RULES = { hasRestartRules: true, hasRestartAll: true };
