import type { Belief } from "./beliefs.ts";

/**
 * The same beliefs with those as one that hold the same of the kubelet's memory, by whatever way they came to it: what follows
 * is the same for all of them. They double with every gap that several explain, else. The rules are those of the likeliest.
 */
export function merged(beliefs: readonly Belief[]): Belief[] {
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
