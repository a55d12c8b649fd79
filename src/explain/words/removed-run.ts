import { mayRestartAll } from "../history/restart-rules.ts";
import type { Prediction } from "../prediction/prediction.ts";

/**
 * Returns the restartCount of the run that RestartAllContainers removed last, whose log file the kubelet keeps; null if
 * there is none. The kubelet counts the restart before it starts the container (measured on v1.36.3 and v1.37.1).
 */
export function removedRunOf({ facts: { lastCause, status }, policy }: Prediction): number | null {
  const isRemoved = lastCause?.cause === "restart-all" && status !== null && status.restartCount > 0;
  return isRemoved && policy.traits.keepsRemovedLogs ? status.restartCount - 1 : null;
}

export function restartedWithAll(found: Prediction): string {
  const log =
    removedRunOf(found) === null
      ? "The kubelet removed its log, too."
      : "Its log is on the node only: kubectl logs -p doesn't find it.";
  return `Restarted with the whole pod by ${triggerIn(found)} RestartAllContainers rule. ${log}`;
}

/**
 * Returns e.g. "trigger's" for the only container with a RestartAllContainers rule; "a" if there are several or none.
 */
function triggerIn({ observed }: Prediction): string {
  const [trigger, ...more] = observed.pod.containers.filter(mayRestartAll);
  return trigger === undefined || more.length > 0 ? "a" : `${trigger.name}'s`;
}
