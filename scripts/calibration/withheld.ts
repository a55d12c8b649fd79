import type { Missing, Observation, PodObservation } from "../../src/explain/observed/observation.ts";

export const WITHHELD = {
  config: (pod) => ({ ...pod, kubeletConfig: null, missing: withForbidden(pod, "node-config") }),
  node: (pod) => ({
    ...pod,
    kubeletConfig: null,
    node: null,
    nodeEvents: [],
    missing: withForbidden(pod, "node-config", "node", "node-events"),
  }),
  events: (pod) => ({
    ...pod,
    events: [],
    nodeEvents: [],
    missing: withForbidden(pod, "events", "node-events"),
  }),
} as const satisfies Readonly<Record<string, (pod: PodObservation) => PodObservation>>;

export type WithheldName = keyof typeof WITHHELD;

export function without(names: readonly WithheldName[], observation: Observation): Observation {
  const pods = observation.pods.map((pod) => names.reduce<PodObservation>((seen, name) => WITHHELD[name](seen), pod));
  return { ...observation, pods };
}

function withForbidden({ missing }: PodObservation, ...whats: Missing["what"][]): Missing[] {
  const known = new Set(missing.map(({ what }) => what));
  return [...missing, ...whats.filter((what) => !known.has(what)).map((what) => ({ what, why: "forbidden" as const }))];
}
