import type { Missing, Observation, PodObservation } from "../../src/explain/observation.ts";

/** Things that an observer may not be allowed to read, or that are gone. */
export const WITHHELD = {
  config: (pod) => ({ ...pod, kubeletConfig: null, missing: [...pod.missing, forbidden("node-config")] }),
  node: (pod) => ({
    ...pod,
    kubeletConfig: null,
    node: null,
    nodeEvents: [],
    missing: [...pod.missing, forbidden("node-config"), forbidden("node"), forbidden("node-events")],
  }),
  events: (pod) => ({
    ...pod,
    events: [],
    nodeEvents: [],
    missing: [...pod.missing, forbidden("events"), forbidden("node-events")],
  }),
} as const satisfies Readonly<Record<string, (pod: PodObservation) => PodObservation>>;

/** The name of something to withhold. */
export type WithheldName = keyof typeof WITHHELD;

/** The same observation by somebody who may not see these. */
export function without(names: readonly WithheldName[], observation: Observation): Observation {
  const pods = observation.pods.map((pod) => names.reduce<PodObservation>((seen, name) => WITHHELD[name](seen), pod));
  return { ...observation, pods };
}

function forbidden(what: Missing["what"]): Missing {
  return { what, why: "forbidden" };
}
