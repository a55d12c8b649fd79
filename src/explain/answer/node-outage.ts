import type { PodExplanation } from "./explanation.ts";

export function isNodeDown({ gaps }: Pick<PodExplanation, "gaps">): boolean {
  return gaps.some(({ code }) => code === "node-not-ready") || isWithoutNode({ gaps });
}

export function isWithoutNode({ gaps }: Pick<PodExplanation, "gaps">): boolean {
  return gaps.some(({ code }) => code === "node-not-found");
}
