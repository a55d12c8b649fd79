import { quoted } from "../answer/excerpt.ts";
import type { Workload } from "../answer/explanation.ts";
import { conditionOf } from "../observed/lookups.ts";
import type { Condition, OwnersObservation, WorkloadSnapshot } from "../observed/observation.ts";

export function workloadStatus({ chain, workload }: OwnersObservation): Workload | null {
  const owner = chain.findLast(({ kind }) => kind !== "CronJob");
  if (owner === undefined) return null;
  const { kind, name } = owner;
  const isRead = workload !== null && workload.kind === kind && workload.name === name;
  if (!isRead) return { kind, name, ready: null, replicas: null, ...FINE };
  return { kind, name, ...replicasOf(workload), ...conditionsOf(workload) };
}

const FINE = { unavailableSinceMs: null, rolloutStuckSinceMs: null, cannotCreate: null } as const;

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

/** A Job wants `parallelism` pods at a time, but no more than completions are left. */
function podsWanted({ parallelism, completions, succeeded }: Extract<WorkloadSnapshot, { kind: "Job" }>): number {
  return completions === null ? parallelism : Math.max(0, Math.min(parallelism, completions - succeeded));
}

/**
 * The conditions come from pkg/controller/deployment/util/deployment_util.go and pkg/controller/replicaset (v1.37.1).
 */
function conditionsOf(workload: WorkloadSnapshot): Omit<Workload, "kind" | "name" | "ready" | "replicas"> {
  if (workload.kind !== "Deployment" && workload.kind !== "ReplicaSet") return FINE;
  const progressing = conditionOf(workload, "Progressing");
  const failure = conditionOf(workload, "ReplicaFailure");
  return {
    unavailableSinceMs: sinceFalse(conditionOf(workload, "Available")),
    rolloutStuckSinceMs: progressing?.reason === "ProgressDeadlineExceeded" ? sinceFalse(progressing) : null,
    cannotCreate: failure?.status === "True" ? quoted(failure.message ?? failure.reason ?? "unknown") : null,
  };
}

function sinceFalse(condition: Condition | undefined): number | null {
  return condition?.status === "False" ? condition.lastTransitionAtMs : null;
}
