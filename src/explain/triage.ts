import { RESET_AFTER_MS } from "../kubelet/crash-loop-policy.ts";
import { windowFrom } from "../kubelet/start-distribution.ts";
import { kindOfWaiting } from "../kubelet/waiting-reasons.ts";
import type { ContainerExplanation, LastExit, PodExplanation, State, Verdict, Window } from "./answer/explanation.ts";
import { countsForReady, readyHeldByGates } from "./observed/lookups.ts";
import { greatestOf, leastOf } from "./observed/max-min.ts";
import type { ContainerStatus, PodSnapshot } from "./observed/observation.ts";

/** "looping": the container runs, but may exit again soon. */
type Trouble = "awaiting-restart" | "failed" | "start-failing" | "unknown" | "looping" | "not-ready";

export function isHeldUp({ obstacle }: Pick<ContainerExplanation, "obstacle">): boolean {
  return obstacle !== null && obstacle.kind !== "container";
}

export function awaitsRestart({ state }: { readonly state: State }): boolean {
  return state === "backing-off" || state === "restarting";
}

export function hasEnded({ state }: { readonly state: State }): boolean {
  return state === "completed" || state === "failed";
}

export function troubleOf(container: ContainerExplanation): Trouble | null {
  const { type, state, imagePull, obstacle, overdue, reported, reset, isReady } = container;
  switch (state) {
    case "backing-off":
    case "restarting":
      return "awaiting-restart";
    case "failed":
      return type === "ephemeral" ? null : "failed";
    case "unknown":
      return "unknown";
    case "starting": {
      const isOrdinary = imagePull === null && obstacle === null && overdue === null;
      return isOrdinary && kindOfWaiting(reported) === "pending" ? null : "start-failing";
    }
    case "running":
      if (reset !== null || container.isCrashLooping) return "looping";
      return isReady === false && countsForReady(container) ? "not-ready" : null;
    default:
      return null;
  }
}

export function troubleInStatus(status: ContainerStatus, pod: PodSnapshot, atMs: number): Trouble | null {
  const { name, state, restartCount, ready } = status;
  const spec = pod.containers.find((candidate) => candidate.name === name);
  if (spec?.type === "ephemeral" || state === null) return null;
  if (state.kind === "waiting") return WAITING_TROUBLES[kindOfWaiting(state.reason)];
  if (state.kind === "running") {
    if (restartCount > 0 && isYoung(state.startedAtMs, atMs)) return "looping";
    return ready || spec?.type === "init" ? null : "not-ready";
  }
  const policy = spec?.restartPolicy ?? pod.restartPolicy;
  if (state.exitCode === 0) return policy === "Always" && spec?.type !== "init" ? "awaiting-restart" : null;
  return policy === "Never" ? "failed" : "awaiting-restart";
}

const WAITING_TROUBLES: Readonly<Record<ReturnType<typeof kindOfWaiting>, Trouble | null>> = {
  "crash-loop": "awaiting-restart",
  "restart-all": "awaiting-restart",
  "image-pull": "start-failing",
  "start-failure": "start-failing",
  "failed-start-with-exit": "start-failing",
  pending: null,
};

function isYoung(startedAtMs: number | null, atMs: number): boolean {
  return startedAtMs === null || atMs - startedAtMs < RESET_AFTER_MS;
}

export function isDown(container: ContainerExplanation): boolean {
  return isDownBy(troubleOf(container));
}

/** Leaves out a container that is only not ready, because it may still be starting up. */
export function isFailing(container: ContainerExplanation): boolean {
  return isFailingBy(troubleOf(container));
}

export function isFailingInStatus(status: ContainerStatus, pod: PodSnapshot, atMs: number): boolean {
  return isFailingBy(troubleInStatus(status, pod, atMs));
}

export function keepsPodFromReady(status: ContainerStatus, pod: PodSnapshot, atMs: number): boolean {
  const { type } = pod.containers.find(({ name }) => name === status.name) ?? {};
  return troubleInStatus(status, pod, atMs) !== null || (type === "init" && status.state?.kind === "running");
}

function isDownBy(trouble: Trouble | null): boolean {
  return isFailingBy(trouble) && trouble !== "looping";
}

function isFailingBy(trouble: Trouble | null): boolean {
  return trouble !== null && trouble !== "not-ready";
}

export function isWell(container: ContainerExplanation): boolean {
  return (container.state === "running" || container.state === "completed") && troubleOf(container) === null;
}

export function isFine({
  verdict,
  containers,
  ending,
  unreadyGates,
}: Pick<PodExplanation, "verdict" | "containers" | "ending" | "unreadyGates">): boolean {
  if (ending !== null || unreadyGates !== undefined) return false;
  const isUp = (container: ContainerExplanation) => isWell(container) || container.type === "ephemeral";
  return verdict === "completed" || (verdict === "running" && containers.every(isUp));
}

/** Assumed: a kubelet removes a pod within this time after its grace period. */
export const USUAL_REMOVAL_MS = 30_000;

export function isDeletionOverdue({ deletion }: Pick<PodExplanation, "deletion">, atMs: number): boolean {
  return deletion !== null && atMs - deletion.dueAtMs >= USUAL_REMOVAL_MS;
}

/** A pod that is being deleted should go down, so it counts only if its deletion is overdue. */
export function isPodDown(pod: PodExplanation, atMs: number): boolean {
  const { verdict, containers } = pod;
  if (verdict === "terminating") return isDeletionOverdue(pod, atMs);
  if (verdict === "completed") return false;
  if (verdict === "failed" || verdict === "unknown") return true;
  return containers.some((container) => isDown(container) || isSlowToStart(pod, container, atMs));
}

/** The most urgent severity is 0. */
export type Severity = 0 | 1 | 2 | 3 | 4;

export const FINE = 4;

export function severityOf(pod: PodSnapshot, atMs: number): Severity {
  if (pod.deletionAtMs !== null) return 3;
  if (pod.phase === "Failed") return 2;
  if (pod.phase === "Succeeded") return FINE;
  const troubles = pod.statuses.map((status) => ({ trouble: troubleInStatus(status, pod, atMs), ...status }));
  if (troubles.some(({ trouble, restartCount }) => isFailingBy(trouble) && restartCount > 0)) return 0;
  if (troubles.some(({ trouble }) => isDownBy(trouble))) return 1;
  const isUp = pod.phase === "Running" && troubles.every(({ trouble }) => trouble === null);
  return isUp && readyHeldByGates(pod) === null ? FINE : 3;
}

/** Assumed: a usual start takes less than this. */
export const USUAL_START_MS = 120_000;

export function isSlowToStart(pod: PodExplanation, container: ContainerExplanation, atMs: number): boolean {
  const { state, restartCount, type } = container;
  if (pod.verdict !== "pending" || state !== "starting" || restartCount > 0 || type === "ephemeral") return false;
  const ends = pod.containers.flatMap((one) => (one.type === "init" ? (one.lastExit?.finishedAtMs ?? []) : []));
  return atMs - greatestOf(ends, pod.createdAtMs ?? atMs) >= USUAL_START_MS;
}

export function isSlowToStartInStatus({ phase, nodeName, statuses, createdAtMs }: PodSnapshot, atMs: number): boolean {
  const isWaiting = statuses.every(
    ({ state }) => state?.kind === "waiting" && kindOfWaiting(state.reason) === "pending",
  );
  return phase === "Pending" && nodeName !== null && isWaiting && atMs - (createdAtMs ?? atMs) >= USUAL_START_MS;
}

export function isWithoutImage({ statuses }: PodSnapshot): boolean {
  return statuses.some(({ state }) => state?.kind === "waiting" && kindOfWaiting(state.reason) === "image-pull");
}

/** The most urgent state comes first. */
const STATES: readonly State[] = [
  "backing-off",
  "restarting",
  "failed",
  "starting",
  "unknown",
  "running",
  "blocked",
  "completed",
];

export function byUrgency(containers: readonly ContainerExplanation[]): ContainerExplanation[] {
  const waits = ({ state, delayMs }: ContainerExplanation): number => (state === "backing-off" ? (delayMs ?? 0) : 0);
  const rank = (container: ContainerExplanation): number => {
    const { state, type } = container;
    if (isFailing(container)) return STATES.indexOf(state);
    const isLast = type === "ephemeral" ? STATES.length : 0;
    return STATES.indexOf(state) + STATES.length + isLast - (troubleOf(container) === null ? 0 : 0.5);
  };
  const restarts = (container: ContainerExplanation): number =>
    troubleOf(container) === "looping" ? container.restartCount : 0;
  return containers.toSorted((a, b) => rank(a) - rank(b) || waits(b) - waits(a) || restarts(b) - restarts(a));
}

export function nextStartOf({ containers }: PodExplanation): Window | null {
  return containers.flatMap(({ nextRestart }) => nextRestart ?? []).toSorted(byStart)[0] ?? null;
}

export function windowOfAll(windows: readonly Window[]): Window {
  const notBeforeMs = leastOf(windows.map((window) => window.notBeforeMs));
  return windowFrom(notBeforeMs, greatestOf(windows.map(({ likelyByMs }) => likelyByMs)));
}

export function byStart(a: Window, b: Window): number {
  return a.notBeforeMs - b.notBeforeMs || a.likelyByMs - b.likelyByMs;
}

const REASON_FOR_VERDICT: Partial<Readonly<Record<Verdict, (container: ContainerExplanation) => boolean>>> = {
  "crash-looping": ({ isCrashLooping }) => isCrashLooping,
  "image-pull-back-off": ({ imagePull }) => imagePull !== null,
  "start-failing": ({ state }) => state === "starting",
  failed: ({ state, type }) => state === "failed" && type !== "ephemeral",
};

export function mainContainer({
  verdict,
  containers,
}: Pick<PodExplanation, "verdict" | "containers">): ContainerExplanation | undefined {
  const urgent = byUrgency(containers);
  return urgent.find(REASON_FOR_VERDICT[verdict] ?? (() => true)) ?? urgent[0];
}

/** Also true after a kill by a probe, even with the exit code 0. */
export function isCrash({ cause, exitCode, isStopped }: LastExit): boolean {
  if (cause === "liveness-probe" || cause === "startup-probe") return true;
  const isKnown = cause !== "unknown" && cause !== "spec-change" && cause !== "restart-all";
  return isKnown && exitCode !== 0 && isStopped !== true;
}
