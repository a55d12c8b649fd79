import { formatBriefDuration } from "../kubelet/go-duration.ts";
import type { ContainerExplanation } from "./explanation.ts";
import type { ContainerFacts } from "./facts.ts";
import type { PodObservation } from "./observation.ts";
import { isOver } from "./state.ts";

/**
 * What the kubelet's next sync of this pod will do, step by step, in the order of `SyncPod` and `computePodActions`
 * (pkg/kubelet/kuberuntime/kuberuntime_manager.go, v1.34.4 and v1.37.1).
 */
export function planOf(
  observed: PodObservation,
  facts: readonly ContainerFacts[],
  containers: readonly ContainerExplanation[],
  atMs: number,
): string[] {
  const { pod } = observed;
  if (pod.nodeName === null) return ["Nothing: the pod has no node."];
  if (pod.deletionAtMs !== null) return ["Stop what still runs and remove the pod; nothing is started."];
  if (isOver(pod)) return [`Nothing: the pod's phase is ${pod.phase}.`];
  if (facts.some((fact) => fact.decision === "restart-all" && fact.status?.state?.kind === "terminated")) {
    return [
      "Remove all containers, because a restart rule asks for it, and start them anew from the first init container.",
    ];
  }
  const sandbox = pod.statuses.some((status) => status.containerID !== null)
    ? ["Keep the pod's sandbox."]
    : ["Create the pod's sandbox."];
  const steps = containers.flatMap((container) => stepOf(container, atMs));
  return [...sandbox, ...(steps.length === 0 ? ["Start nothing: all containers are as they should be."] : steps)];
}

function stepOf(container: ContainerExplanation, atMs: number): string[] {
  const { name, state, delayMs, nextRestart, imagePull } = container;
  switch (state) {
    case "backing-off": {
      const rest =
        nextRestart === null
          ? ""
          : `, ${formatBriefDuration(Math.ceil((nextRestart.notBeforeMs - atMs) / 1000) * 1000)} to go`;
      return [
        `Leave ${name} down: it is in back-off${delayMs === null ? "" : ` (${formatBriefDuration(delayMs)}${rest})`}.`,
      ];
    }
    case "restarting":
      return [`Start ${name}: its wait is over.`];
    case "starting":
      return [
        imagePull === null
          ? `Try to start ${name}${container.reported === null ? "" : ` (last: ${container.reported})`}.`
          : `Pull ${imagePull.image} for ${name} once its pull back-off is over.`,
      ];
    case "blocked":
      return [`Leave ${name} until the containers before it are done.`];
    default:
      return [];
  }
}
