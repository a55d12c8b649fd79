import { greatestOf } from "../observed/max-min.ts";
import type { PodObservation } from "../observed/observation.ts";

/** Smaller differences are no skew: both clocks are read in whole seconds, and an event takes a moment to arrive. */
const AHEAD_MS = 2_000;
const BEHIND_MS = 3_000;
/** The fewest events that can show a clock that is behind, because the kubelet may send a single event late. */
const ENOUGH_EVENTS = 3;

/**
 * Returns how many ms the node's clock is ahead of the API server's: negative if it is behind, 0 if the events show no
 * clear difference. Compares the kubelet's `firstTimestamp` and the API server's `creationTimestamp` of each event.
 */
export function clockSkewMs(observed: PodObservation): number {
  const leads = observed.events.flatMap(({ container, firstAtMs, createdAtMs }) =>
    container === null || firstAtMs === null || createdAtMs === null ? [] : [firstAtMs - createdAtMs],
  );
  const lead = greatestOf(leads);
  if (leads.length > 0 && lead >= AHEAD_MS) return lead;
  return leads.length >= ENOUGH_EVENTS && lead <= -BEHIND_MS ? lead : 0;
}
