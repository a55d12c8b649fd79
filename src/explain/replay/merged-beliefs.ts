import type { Belief } from "./beliefs.ts";

/** To follow so many is quicker than to compare them. */
const FEW = 40;

/**
 * The same beliefs with those as one that hold the same of the kubelet's memory, by whatever way they came to it: what follows
 * is the same for all of them, and else they double with every gap that several explain. The rules are those of the likeliest.
 */
export function merged(beliefs: readonly Belief[]): readonly Belief[] {
  if (beliefs.length <= FEW) return beliefs;
  const byState = new Map<string, { likeliest: Belief; weight: number }>();
  for (const belief of beliefs) {
    const { entry, previousFinishedAtMs, weight } = belief;
    const key = `${entry?.delayMs} ${entry?.lastUpdateMs} ${previousFinishedAtMs}`;
    const known = byState.get(key);
    if (known === undefined) byState.set(key, { likeliest: belief, weight });
    else {
      known.weight += weight;
      if (weight > known.likeliest.weight) known.likeliest = belief;
    }
  }
  return [...byState.values()].map(({ likeliest, weight }) => ({ ...likeliest, weight }));
}
