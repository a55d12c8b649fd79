import type { Evidence } from "../answer/explanation.ts";
import { instantIn } from "../answer/instant-words.ts";
import type { DeploymentSnapshot } from "../observed/observation.ts";
import { countOf, seen } from "./owner-words.ts";

/** `TimedOutReason` and `NewRSAvailableReason` (v1.37.1, pkg/controller/deployment/util/deployment_util.go). */
const TIMED_OUT = "ProgressDeadlineExceeded";
const DONE = "NewReplicaSetAvailable";

/** What a Deployment's rollout does about a crashing pod: it is stuck on it, it waits for it, or replicas are missing. */
export function deploymentEvidence(deployment: DeploymentSnapshot): Evidence[] {
  const { name, replicas, updatedReplicas, availableReplicas, conditions, progressDeadlineMs } = deployment;
  const progressing = conditions.find(({ type }) => type === "Progressing");
  const numbers = `${updatedReplicas} of ${countOf(replicas, "replica")} updated, ${availableReplicas} available`;
  if (progressing?.status === "False" && progressing.reason === TIMED_OUT) {
    const since = progressing.lastTransitionAtMs === null ? "" : ` since ${instantIn(progressing.lastTransitionAtMs)}`;
    const deadline = `${TIMED_OUT}: no progress for ${progressDeadlineMs / 1000}s`;
    const text = `the rollout of Deployment ${name} is stuck${since} (${deadline}): ${numbers}`;
    return [seen("rollout-stuck", `${text}; Kubernetes does not roll it back by itself`)];
  }
  if (
    progressing?.status === "True" &&
    progressing.reason !== DONE &&
    updatedReplicas + availableReplicas < 2 * replicas
  ) {
    return [seen("rollout-waits", `the rollout of Deployment ${name} waits: ${numbers}${deadlineOf(deployment)}`)];
  }
  if (availableReplicas >= replicas) return [];
  return [
    seen(
      "replicas-missing",
      `Deployment ${name} has ${availableReplicas} of ${countOf(replicas, "replica")} available`,
    ),
  ];
}

function deadlineOf({ progressedAtMs, progressDeadlineMs }: DeploymentSnapshot): string {
  if (progressedAtMs === null) return "";
  return `; without progress it counts as stuck from ${instantIn(progressedAtMs + progressDeadlineMs)} on`;
}
