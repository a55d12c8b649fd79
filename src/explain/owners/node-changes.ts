import type { Change, NodeFact } from "../answer/explanation.ts";
import { factInWords } from "../answer/node-fact.ts";

/** A change of the node is news if it came within this time before the failures began. */
export const SHORTLY_MS = 600_000;
/** A kubelet can report a condition of its node this much after the condition has an effect. */
const REPORTED_MS = 10_000;

/** Returns what began on the pod's node shortly before the pod's failures did. */
export function nodeChanges(node: string, facts: readonly NodeFact[], failedAtMs: number): Change[] {
  return facts.flatMap((fact): Change[] => {
    const { sinceMs } = fact;
    if (sinceMs === null || sinceMs < failedAtMs - SHORTLY_MS || sinceMs > failedAtMs + REPORTED_MS) return [];
    const sentence = factInWords(node, fact);
    return [{ kind: "node", name: node, betweenMs: [sinceMs, sinceMs], by: null, basis: "observed", sentence }];
  });
}
