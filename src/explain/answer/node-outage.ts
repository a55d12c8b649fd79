import type { PodExplanation } from "./explanation.ts";

/** Whether the pod's node is NotReady or does not exist, so that its kubelet starts no containers. */
export function isNodeDown({ gaps }: Pick<PodExplanation, "gaps">): boolean {
  return gaps.some(({ code }) => code === "node-not-ready") || isWithoutNode({ gaps });
}

export function isWithoutNode({ gaps }: Pick<PodExplanation, "gaps">): boolean {
  return gaps.some(({ code }) => code === "node-not-found");
}
