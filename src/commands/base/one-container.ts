import { UserError } from "../../errors.ts";
import type { Explanation } from "../../explain/answer/explanation.ts";

/** Throws a UserError if there are pods, but none has the container. */
export function withOneContainer(explanation: Explanation, name: string | undefined): Explanation {
  if (name === undefined || explanation.pods.length === 0) return explanation;
  const pods = explanation.pods
    .map((pod) => ({ ...pod, containers: pod.containers.filter((container) => container.name === name) }))
    .filter((pod) => pod.containers.length > 0);
  if (pods.length > 0) return { ...explanation, pods };
  const names = explanation.pods.flatMap((pod) => pod.containers.map((container) => container.name));
  const podNames = explanation.pods.map((pod) => pod.name).join(", ");
  throw new UserError("noSuchContainer", name, podNames, [...new Set(names)]);
}
