import { greatestOf } from "../observed/max-min.ts";
import type { PodObservation } from "../observed/observation.ts";

/** Smaller differences show no skew: the API truncates both instants to seconds, and an event takes time to arrive. */
const AHEAD_MS = 2_000;
const BEHIND_MS = 3_000;
/** Fewer events may all have been sent late. */
const ENOUGH_EVENTS = 3;

/**
 * Returns how many ms the node's clock is ahead of the API server's; negative if it is behind, 0 if the events show no
 * clear difference. The kubelet sets an event's `firstTimestamp`, the API server its `creationTimestamp`.
 */
export function clockSkewMs(observed: PodObservation): number {
  const leads = observed.events.flatMap(({ container, firstAtMs, createdAtMs }) =>
    container === null || firstAtMs === null || createdAtMs === null ? [] : [firstAtMs - createdAtMs],
  );
  const lead = greatestOf(leads);
  if (leads.length > 0 && lead >= AHEAD_MS) return lead;
  return leads.length >= ENOUGH_EVENTS && lead <= -BEHIND_MS ? lead : 0;
}
