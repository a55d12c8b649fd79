import type { CrashLoopPolicy } from "../../kubelet/crash-loop-policy.ts";
import { isOfRestartAll } from "../../kubelet/exit-codes.ts";
import type { RestartSpec } from "../../kubelet/restart-policy.ts";
import { acceptedAtMs, conditionOf, falseSinceMs, statusOf } from "../observed/lookups.ts";
import type { ContainerSpec, ContainerStatus, PodObservation, PodSnapshot } from "../observed/observation.ts";
import { type ObservedRun, startOf } from "./runs.ts";

export function hasRestartedAll(status: ContainerStatus | null): boolean {
  return isOfRestartAll(status?.lastState);
}

export function hasRestartAllRule({ containers }: PodSnapshot): boolean {
  return containers.some(mayRestartAll);
}

export function mayRestartAll({ restartPolicyRules }: ContainerSpec): boolean {
  return restartPolicyRules.some(({ action }) => action === "RestartAllContainers");
}

export function onlyTriggerOf({ containers }: PodSnapshot): ContainerSpec | undefined {
  const [trigger, ...more] = containers.filter(mayRestartAll);
  return more.length === 0 ? trigger : undefined;
}

function triggersOf(pod: PodSnapshot): ContainerStatus[] {
  return pod.containers
    .filter(mayRestartAll)
    .map(({ name }) => statusOf(pod, name))
    .filter((status) => status !== null)
    .filter(hasRestartedAll);
}

function latestStartOf({ state }: ContainerStatus): number | null {
  return state === null || state.kind === "waiting" ? null : state.startedAtMs;
}

export interface RestartAlls {
  readonly count: number;
  readonly averageIntervalMs: number | null;
}

/**
 * Assumes that RestartAllContainers caused all restarts of a container that may have triggered it. These restarts raise
 * restartCount, but no back-off delay (measured on v1.37.1).
 */
export function restartAllsOf({ pod }: PodObservation, { traits }: CrashLoopPolicy): RestartAlls {
  const triggers = traits.hasRestartAll ? triggersOf(pod) : [];
  const [latest] = triggers.toSorted((a, b) => b.restartCount - a.restartCount);
  if (latest === undefined) return { count: 0, averageIntervalMs: null };
  const count = latest.restartCount;
  const bornAtMs = acceptedAtMs(pod);
  const startedAtMs = latestStartOf(latest);
  const isKnown = bornAtMs !== null && startedAtMs !== null;
  return { count, averageIntervalMs: isKnown ? (startedAtMs - bornAtMs) / count : null };
}

/**
 * Assumed probability that RestartAllContainers caused a start, if the pod has a rule with this action and nothing
 * shows the cause.
 */
const WITHOUT_EVIDENCE = 0.1;
/** Assumed maximum time between the starts of two containers after RestartAllContainers. */
const ONE_SYNC_MS = 2_000;

/**
 * Returns a probability, 0 to 1. The status may not show RestartAllContainers, so the pod's condition counts, too: the
 * kubelet sets AllContainersRestarting to False just before the starts (measured on v1.37.1).
 */
export function startedWithAll(
  run: ObservedRun,
  from: ObservedRun | undefined,
  container: string,
  observed: PodObservation,
  { traits }: CrashLoopPolicy,
): number {
  if (run.start === 0 || !traits.hasRestartAll || !hasRestartAllRule(observed.pod)) return 0;
  const snapshots = [...observed.earlier, observed.pod];
  const isOnRecord = snapshots.some((snapshot) => {
    const status = statusOf(snapshot, container);
    return status?.restartCount === run.start && hasRestartedAll(status);
  });
  if (isOnRecord) return 1;
  if (from === undefined || from.start + 1 !== run.start) return 0;
  const fromMs = from.finishedAtMs ?? startOf(from);
  const isBetween = (atMs: number | null) => atMs !== null && fromMs <= atMs && atMs <= startOf(run);
  const isInSync = (atMs: number | null) =>
    atMs !== null && fromMs <= atMs && Math.abs(atMs - startOf(run)) <= ONE_SYNC_MS;
  const isShown = snapshots.some((snapshot) =>
    conditionOf(snapshot, ALL_RESTARTING) === undefined
      ? triggersOf(snapshot).some((trigger) => isInSync(latestStartOf(trigger)))
      : isBetween(falseSinceMs(snapshot, ALL_RESTARTING)),
  );
  const latestMs = falseSinceMs(observed.pod, ALL_RESTARTING);
  return isShown ? 1 : latestMs !== null && latestMs < fromMs ? 0 : WITHOUT_EVIDENCE;
}

export const ALL_RESTARTING = "AllContainersRestarting";

export function restartSpecOf(spec: ContainerSpec, pod: PodSnapshot): RestartSpec {
  const { type, restartPolicy: containerPolicy, restartPolicyRules: rules } = spec;
  return { type, podPolicy: pod.restartPolicy, containerPolicy, rules };
}
