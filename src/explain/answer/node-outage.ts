import type { PodExplanation } from "./explanation.ts";

/** Whether the pod's node is NotReady or does not exist. Assumed: no containers start on such a node. */
export function isNodeDown({ gaps }: Pick<PodExplanation, "gaps">): boolean {
  return gaps.some(({ code }) => code === "node-not-ready") || isWithoutNode({ gaps });
}

export function isWithoutNode({ gaps }: Pick<PodExplanation, "gaps">): boolean {
  return gaps.some(({ code }) => code === "node-not-found");
}
