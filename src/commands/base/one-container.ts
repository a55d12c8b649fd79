import { UserError } from "../../errors.ts";
import type { Explanation, PodExplanation } from "../../explain/answer/explanation.ts";

/** The explanation with only the container of that name; a UserError where no pod has it. Without a name: as it is. */
export function withOneContainer(explanation: Explanation, name: string | undefined): Explanation {
  if (name === undefined || explanation.pods.length === 0) return explanation;
  const pods = explanation.pods
    .map((pod) => ({ ...pod, containers: pod.containers.filter((container) => container.name === name) }))
    .filter((pod) => pod.containers.length > 0);
  if (pods.length === 0) throw noSuchContainer(name, explanation.pods);
  return { ...explanation, pods };
}

function noSuchContainer(name: string, pods: readonly PodExplanation[]): UserError {
  const names = pods.flatMap((pod) => pod.containers.map((container) => container.name));
  const podNames = pods.map((pod) => pod.name).join(", ");
  return new UserError("noSuchContainer", name, podNames, [...new Set(names)]);
}
