import { quoted } from "../answer/excerpt.ts";
import type { PodExplanation, Workload } from "../answer/explanation.ts";
import { runLengthMs } from "../history/runs.ts";
import { conditionOf, countsForReady, falseSinceMs } from "../observed/lookups.ts";
import { leastOf } from "../observed/max-min.ts";
import type { JobSnapshot, OwnersObservation, WorkloadSnapshot } from "../observed/observation.ts";
import { isFailing, mainContainer } from "../triage.ts";
import { firstExitMs } from "./changes-before-failure.ts";

export function workloadStatus({ chain, workload }: OwnersObservation): Workload | null {
  const owner = chain.findLast(({ kind }) => kind !== "CronJob");
  if (owner === undefined) return null;
  const { kind, name } = owner;
  const isRead = workload !== null && workload.kind === kind && workload.name === name;
  if (!isRead) return { kind, name, ready: null, replicas: null, ...NO_TROUBLE };
  return { kind, name, ...replicasOf(workload), ...conditionsOf(workload) };
}

/** Assumed: a Deployment becomes unavailable within this time after its pod begins to fail. */
const CLOSE_MS = 60_000;

/**
 * Sets `unavailableSinceMs` to null if it may be the time of a later exit in a crash loop, not of the first: the
 * Deployment can be available again during each run.
 */
export function withoutFlapping(workload: Workload | null, pod: PodExplanation): Workload | null {
  const sinceMs = workload?.unavailableSinceMs ?? null;
  if (workload === null || sinceMs === null) return workload;
  const main = mainContainer(pod);
  const failingSince = main !== undefined && isFailing(main) ? main.failingSince : null;
  const beganMs = pod.availability?.sinceMs ?? failingSince?.atMs ?? firstExitMs(pod);
  const isFlapping = sinceMs > beganMs + CLOSE_MS || sinceMs >= firstShortExitMs(pod);
  return isFlapping ? { ...workload, unavailableSinceMs: null } : workload;
}

function firstShortExitMs({ containers, policy }: PodExplanation): number {
  const runs = containers.filter(countsForReady).flatMap(({ history }) => history);
  const short = runs.filter((run) => runLengthMs(run) < policy.resetAfterMs);
  return leastOf(short.flatMap(({ finishedAtMs }) => finishedAtMs ?? []));
}

const NO_TROUBLE = { unavailableSinceMs: null, rolloutStuckSinceMs: null, cannotCreate: null } as const;

function replicasOf(workload: WorkloadSnapshot): Pick<Workload, "ready" | "replicas"> {
  switch (workload.kind) {
    case "DaemonSet":
      return { ready: workload.ready, replicas: workload.desired };
    case "Job":
      return { ready: workload.ready, replicas: podsWanted(workload) };
    default:
      return { ready: workload.readyReplicas, replicas: workload.replicas };
  }
}

/** See `wantActive` in `manageJob` (pkg/controller/job/job_controller.go, v1.37.1). */
function podsWanted({ parallelism, completions, succeeded, active }: JobSnapshot): number {
  if (completions === null) return succeeded > 0 ? active : parallelism;
  return Math.max(0, Math.min(parallelism, completions - succeeded));
}

/** ProgressDeadlineExceeded is `TimedOutReason` (pkg/controller/deployment/util/deployment_util.go, v1.37.1). */
function conditionsOf(workload: WorkloadSnapshot): Omit<Workload, "kind" | "name" | "ready" | "replicas"> {
  if (workload.kind !== "Deployment" && workload.kind !== "ReplicaSet") return NO_TROUBLE;
  const isTimedOut = conditionOf(workload, "Progressing")?.reason === "ProgressDeadlineExceeded";
  const failure = conditionOf(workload, "ReplicaFailure");
  return {
    unavailableSinceMs: falseSinceMs(workload, "Available"),
    rolloutStuckSinceMs: isTimedOut ? falseSinceMs(workload, "Progressing") : null,
    cannotCreate: failure?.status === "True" ? quoted(failure.message ?? failure.reason ?? "unknown") : null,
  };
}
