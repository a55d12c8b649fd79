import { isOfRestartAll } from "../../kubelet/exit-codes.ts";
import { kindOfWaiting } from "../../kubelet/waiting-reasons.ts";
import { type State, VERDICTS, type Verdict } from "../answer/explanation.ts";
import { runLengthMs } from "../history/runs.ts";
import { acceptedAtMs, conditionOf, hasFinished, statusOf } from "../observed/lookups.ts";
import type { ContainerSpec, PodSnapshot } from "../observed/observation.ts";
import type { CurrentWait } from "../replay/current-wait.ts";
import type { ReplayedContainer } from "../replay/replayed-container.ts";
import { awaitsRestart } from "../triage.ts";
import type { ContainerCase, PodContext, PodMoment } from "./pod-context.ts";

export function isOver(pod: PodSnapshot): boolean {
  return pod.deletionAtMs !== null || hasFinished(pod);
}

/**
 * A copy of a pod may lack its nodeName. Assumed: a pod with a container's status, or with a phase other than Pending,
 * is scheduled.
 */
export function isScheduled({ nodeName, statuses, phase }: PodSnapshot): boolean {
  return nodeName !== null || statuses.length > 0 || (phase !== null && phase !== "Pending");
}

export function stateOf(facts: ReplayedContainer, wait: CurrentWait | null, moment: PodMoment): State {
  const { obstacle, atMs } = moment;
  const { pod } = moment.observed;
  const state = facts.status?.state ?? null;
  if (facts.isRunning) return "running";
  if (isOver(pod)) return facts.lastExit === null ? "unknown" : ended(facts);
  if (isSetUpAgain(facts, pod)) return "blocked";
  if (state === null) return stateBeforeStart(facts, pod);
  if (state.kind === "terminated" && facts.decision === "stay-down") return ended(facts);
  const now = state.kind === "terminated" ? stateAfterExit(facts, wait, atMs) : waitingState(facts, pod, wait, atMs);
  // A node that is missing or not ready does not show whether a start would fail, so the state stays "restarting".
  return now === "restarting" && obstacle !== null && obstacle.kind !== "node" ? "starting" : now;
}

function ended(facts: ReplayedContainer): State {
  return facts.lastExit?.exitCode === 0 ? "completed" : "failed";
}

function stateAfterExit(facts: ReplayedContainer, wait: CurrentWait | null, atMs: number): State {
  if (facts.decision === "restart-all") return "restarting";
  if (wait === null) return "backing-off";
  return wait.likeliest.delayMs > 0 && atMs < wait.likeliest.readyAtMs ? "backing-off" : "restarting";
}

function waitingState(facts: ReplayedContainer, pod: PodSnapshot, wait: CurrentWait | null, atMs: number): State {
  switch (facts.waiting) {
    case "crash-loop":
      return stateAfterExit(facts, wait, atMs);
    case "failed-start-with-exit":
      return facts.lastExit === null ? "starting" : stateAfterExit(facts, wait, atMs);
    case "restart-all":
      return "restarting";
    case "image-pull":
    case "start-failure":
      return "starting";
    default:
      return stateBeforeStart(facts, pod);
  }
}

function stateBeforeStart(facts: ReplayedContainer, pod: PodSnapshot): State {
  if (pod.phase === null) return "unknown";
  // `computePodActions` (pkg/kubelet/kuberuntime/kuberuntime_manager.go, v1.37.1) starts ephemeral containers without
  // waiting for other containers.
  return facts.spec.type !== "ephemeral" && blockerOf(facts.spec, pod) !== null ? "blocked" : "starting";
}

/**
 * Whether the state of an init container shows that the kubelet is setting up the pod, for the first time or again in a
 * new sandbox. An init container without a state shows nothing, because its record may be lost.
 */
function isSetUpAgain({ spec }: ReplayedContainer, pod: PodSnapshot): boolean {
  if (spec.type !== "app") return false;
  const isBefore = conditionOf(pod, "Initialized")?.status === "False";
  return pod.containers.some(({ name, type }) => {
    const state = statusOf(pod, name)?.state ?? null;
    if (type !== "init" || state === null) return false;
    if (state.kind === "running") return true;
    if (state.kind === "terminated") return state.exitCode !== 0 && !isOfRestartAll(state);
    const waiting = kindOfWaiting(state.reason);
    return waiting === "pending" ? isBefore : waiting !== "restart-all";
  });
}

export function blockerOf({ name }: Pick<ContainerSpec, "name">, pod: PodSnapshot): ContainerSpec | null {
  for (const spec of pod.containers) {
    if (spec.name === name) return null;
    if (spec.type !== "init" && spec.type !== "sidecar") continue;
    const status = statusOf(pod, spec.name);
    const state = status?.state ?? null;
    const isDone =
      spec.type === "sidecar" ? status?.started === true : state?.kind === "terminated" && state.exitCode === 0;
    if (!isDone) return spec;
  }
  return null;
}

export function reportedOf(facts: ReplayedContainer): string | null {
  const state = facts.status?.state ?? null;
  if (state === null) return null;
  if (state.kind === "running") return "Running";
  if (state.kind === "waiting") return state.reason ?? "Waiting";
  if (state.reason !== null) return state.reason;
  return state.signal !== null && state.signal !== 0 ? `Signal:${state.signal}` : `ExitCode:${state.exitCode}`;
}

export function verdictOf(context: PodContext): Verdict {
  const { observed, containers } = context;
  const { pod } = observed;
  const applies: Readonly<Record<Verdict, () => boolean>> = {
    terminating: () => pod.deletionAtMs !== null,
    failed: () => pod.phase === "Failed",
    completed: () => pod.phase === "Succeeded",
    unknown: () => pod.phase === null || pod.phase === "Unknown",
    "crash-looping": () => containers.some((container) => isCrashLooping(container, context)),
    "image-pull-back-off": () => containers.some(({ facts }) => facts.waiting === "image-pull"),
    "start-failing": () => containers.some(isStartFailing),
    pending: () => pod.phase === "Pending",
    running: () => true,
  };
  const verdict = VERDICTS.find((candidate) => applies[candidate]()) ?? "unknown";
  return verdict === "running" || verdict === "pending" ? (verdictByStates(containers) ?? verdict) : verdict;
}

function verdictByStates(containers: readonly ContainerCase[]): Verdict | null {
  const states = containers.filter(({ facts }) => facts.spec.type !== "ephemeral").map(({ state }) => state);
  if (states.includes("failed")) return "failed";
  if (states.some((state) => awaitsRestart({ state }))) return "pending";
  return states.length > 0 && states.every((state) => state === "completed") ? "completed" : null;
}

/** Assumed: a container that stopped with its node is not crash-looping. */
export function isCrashLooping({ facts, state }: ContainerCase, context: PodContext): boolean {
  const { policy, atMs } = context;
  if (exitCount(facts) < 2 || facts.lastCause?.stoppedWith === "node") return false;
  const startedAtMs = facts.runs.at(-1)?.startedAtMs ?? null;
  const isYoung = startedAtMs === null || atMs - startedAtMs < policy.resetAfterMs;
  const isUnstable = awaitsRestart({ state }) || (state === "running" && isYoung);
  return isUnstable && wasLastRunShort(facts, context);
}

/** Without the time of the last exit, assumes a short run if the container has restarted often for the pod's age. */
function wasLastRunShort({ lastExit, status, runs }: ReplayedContainer, context: PodContext): boolean {
  const { observed, policy, atMs } = context;
  if (lastExit !== null && lastExit.finishedAtMs !== null) {
    return runLengthMs(lastExit) < policy.resetAfterMs;
  }
  const bornAtMs = acceptedAtMs(observed.pod) ?? atMs;
  const longestLoopMs = (status?.restartCount ?? 0) * (policy.resetAfterMs + policy.maxMs);
  return (runs.at(-1)?.startedAtMs ?? atMs) - bornAtMs < longestLoopMs;
}

function exitCount(facts: ReplayedContainer): number {
  const restartCount = facts.status?.restartCount ?? 0;
  const isCounted =
    facts.status?.state?.kind === "running" || facts.waiting === "restart-all" || facts.waiting === "pending";
  const last = isCounted || facts.lastExit === null ? 0 : 1;
  return Math.max(facts.runs.filter((run) => run.exit !== null).length, restartCount + last);
}

/** A scheduling gate is no failure, because someone set it on purpose. */
function isStartFailing({ obstacle }: ContainerCase): boolean {
  return obstacle !== null && obstacle.kind !== "gates";
}
