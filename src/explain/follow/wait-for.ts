import { restartingExits } from "../../kubelet/restart-policy.ts";
import { kubeletTraits } from "../../kubelet/traits.ts";
import { NEWEST_KNOWN_VERSION } from "../../kubelet/versions.ts";
import type { ContainerExplanation, PodExplanation, Reset } from "../answer/explanation.ts";
import { mayRestartAll, restartSpecOf } from "../history/restart-rules.ts";
import { type ObservedRun, runsIn } from "../history/runs.ts";
import { conditionOf, countsForReady } from "../observed/lookups.ts";
import type { ContainerSpec, PodObservation, PodSnapshot } from "../observed/observation.ts";
import { isOver } from "../prediction/state.ts";
import { awaitsRestart, hasEnded, isWell } from "../triage.ts";

export const WAIT_GOALS = ["restart", "reset", "recovered"] as const;

export type WaitGoal = (typeof WAIT_GOALS)[number];

export interface ExplainedPod {
  readonly observed: PodObservation;
  readonly explained: PodExplanation;
  readonly atMs: number;
}

export type WaitState =
  | { readonly kind: "waiting" }
  /** `start` is the new run's `start` (see `ObservedRun`); null unless the goal is "restart". */
  | {
      readonly kind: "happened";
      readonly container: string | null;
      readonly start: number | null;
      readonly atMs: number;
      readonly wasBefore?: true;
    }
  /** `because` is a clause about the pod, e.g. "it has completed". */
  | { readonly kind: "impossible"; readonly because: string; readonly isDeleted?: true };

/** A condition remembers earlier calls, so the caller must pass the pod's versions in the order of time. */
export type WaitCondition = (moment: ExplainedPod) => WaitState;

/** With `isReplacement`, the goal "restart" also counts a start before the first call of the condition. */
export function conditionFor(goal: WaitGoal, container: string | undefined, isReplacement = false): WaitCondition {
  const condition = { restart: restarts, reset: resets, recovered: recovery }[goal](container, isReplacement);
  return (moment) => {
    const state = condition(moment);
    const { pod } = moment.observed;
    if (state.kind === "happened" || !isOver(pod)) return state;
    if (pod.deletionAtMs !== null) return deleted("it is being deleted");
    return impossible(pod.phase === "Failed" ? "it has failed for good" : "it has completed");
  };
}

function impossible(because: string): WaitState {
  return { kind: "impossible", because };
}

export function deleted(because: string): WaitState {
  return { kind: "impossible", because, isDeleted: true };
}

function isMeant({ name, type }: Pick<ContainerSpec, "name" | "type">, container: string | undefined): boolean {
  return container === undefined ? type !== "ephemeral" : name === container;
}

function recovery(container: string | undefined): WaitCondition {
  let isFirst = true;
  return ({ observed, explained, atMs }) => {
    const meant = explained.containers.filter((one) =>
      container === undefined ? countsForReady(one) : one.name === container,
    );
    const ended = meant.find(hasEnded);
    if (ended !== undefined) return impossible(`its container ${ended.name} has ended for good`);
    const isReady = conditionOf(observed.pod, "Ready")?.status === "True";
    const isRecovered = isReady && meant.every(isWell);
    const wasBefore = isFirst;
    isFirst = false;
    if (!isRecovered) return { kind: "waiting" };
    return { kind: "happened", container: container ?? null, start: null, atMs, ...(wasBefore && { wasBefore }) };
  };
}

/** If no container had a back-off when the program first saw the container, "happened" has a null `container`. */
function resets(container: string | undefined): WaitCondition {
  const backoffs = new Map<string, FollowedBackoff>();
  return ({ observed: { pod }, explained, atMs }) => {
    const restarting = new Set(pod.containers.filter((spec) => !neverRestarts(spec, pod)).map(({ name }) => name));
    const meant = explained.containers.filter(
      (one) => !hasEnded(one) && restarting.has(one.name) && isMeant(one, container),
    );
    if (meant.length === 0) return impossible(`${neverStarts(container)}, so there is no back-off`);
    const done = meant.flatMap((explanation) => {
      const { name } = explanation;
      const backoff = backoffs.get(name) ?? new FollowedBackoff();
      backoffs.set(name, backoff);
      backoff.follow(explanation, atMs);
      return backoff.resetAtMs === null ? [] : [{ container: name, atMs: backoff.resetAtMs }];
    });
    const [last] = done.toSorted((a, b) => b.atMs - a.atMs);
    if (last === undefined || done.length < meant.length) return { kind: "waiting" };
    const hadNone = [...backoffs.values()].every((backoff) => backoff.hadNone);
    return { kind: "happened", start: null, ...(hadNone ? { container: null, atMs } : last) };
  };
}

class FollowedBackoff {
  resetAtMs: number | null = null;
  hadNone = false;
  #isKnown = false;
  #largestDelayMs = 0;
  #promised: Reset | null = null;

  follow(container: ContainerExplanation, atMs: number): void {
    if (this.resetAtMs !== null) return;
    const { state, delayMs: delayNowMs, ifItExits, reset } = container;
    // The delay after an exit without a kill by a probe shows the back-off. After a kill by a probe, the delay can be 0
    // although there is a back-off.
    const delayMs = ifItExits?.find(({ probe }) => probe === null)?.delayMs ?? delayNowMs;
    const promised = this.#promised;
    // Assumed: a smaller delay shows a reset, because a back-off's delay never shrinks without a reset.
    const hasShrunk = state === "running" && delayMs !== null && delayMs < this.#largestDelayMs;
    const hasNone = delayMs === 0 && reset === null && !awaitsRestart(container);
    if (promised !== null && (reset === null || reset.atMs <= atMs) && isKept(promised, container, atMs))
      this.resetAtMs = promised.atMs;
    else if (hasShrunk || hasNone) {
      this.resetAtMs = atMs;
      this.hadNone = !this.#isKnown;
    }
    this.#isKnown = true;
    // While a container is down, `reset` can be null. Then the last known reset stays.
    if (state === "running" || reset !== null) this.#promised = reset;
    this.#largestDelayMs = Math.max(this.#largestDelayMs, delayMs ?? 0);
  }
}

/**
 * A start renews the back-off (`doBackOff`, pkg/kubelet/kuberuntime/kuberuntime_manager.go, v1.37.1) before the status
 * shows the start. So if `how` is "if-it-keeps-running", a run that ended before `resetAtMs` does not prove the reset,
 * however long the container is down.
 */
function isKept({ atMs: resetAtMs, how }: Reset, { state, lastExit }: ContainerExplanation, atMs: number): boolean {
  if (resetAtMs > atMs) return false;
  return how === "during-the-wait" || state === "running" || (lastExit?.finishedAtMs ?? 0) > resetAtMs;
}

function restarts(container: string | undefined, isReplacement: boolean): WaitCondition {
  let before: ReadonlyMap<string, ObservedRun | undefined> | null = isReplacement ? new Map() : null;
  return (moment) => {
    const newest = newestRuns(moment.observed, container);
    before ??= newest;
    for (const [name, run] of newest) {
      if (run === undefined || !isNewer(run, before.get(name))) continue;
      return { kind: "happened", container: name, start: run.start, atMs: run.startedAtMs ?? moment.atMs };
    }
    if (canRestart(moment, container)) return { kind: "waiting" };
    return impossible(`${neverStarts(container)}, by its restart policy`);
  };
}

function neverStarts(container: string | undefined): string {
  return `${container === undefined ? "no container of it" : `its container ${container} never`} starts again`;
}

function newestRuns(observed: PodObservation, container: string | undefined): Map<string, ObservedRun | undefined> {
  const meant = observed.pod.containers.filter((spec) => isMeant(spec, container));
  return new Map(meant.map((spec) => [spec.name, runsIn(spec, observed).at(-1)]));
}

/** Compares containerIDs if both are known, because a restartCount may be off by one. */
function isNewer(run: ObservedRun, before: ObservedRun | undefined): boolean {
  if (before === undefined) return true;
  if (run.containerID === null || before.containerID === null) return run.start > before.start;
  return run.containerID !== before.containerID && run.start >= before.start;
}

/** With an older kubelet's rules, a restart that a newer kubelet makes could seem impossible. */
const ALL_RULES = kubeletTraits(NEWEST_KNOWN_VERSION, {});

function neverRestarts(spec: ContainerSpec, pod: PodSnapshot): boolean {
  return restartingExits(restartSpecOf(spec, pod), ALL_RULES) === "none";
}

function canRestart({ observed: { pod }, explained }: ExplainedPod, container: string | undefined): boolean {
  return pod.containers.some((spec) => {
    const found = explained.containers.find(({ name }) => name === spec.name);
    if (found !== undefined && hasEnded(found)) return false;
    const mayRestart = found?.state !== "running" || !neverRestarts(spec, pod);
    return mayRestartAll(spec) || (isMeant(spec, container) && mayRestart);
  });
}
