import { greatestOf } from "../observed/max-min.ts";
import type { PodObservation } from "../observed/observation.ts";

/** Smaller differences show no skew: the API truncates instants to seconds, and an event takes time to arrive. */
const LEAST_AHEAD_MS = 2_000;
const LEAST_BEHIND_MS = 3_000;
/** If there are fewer events, the kubelet may have sent all of them late. */
const LEAST_EVENTS_BEHIND = 3;

/**
 * Returns by how many ms the node's clock is ahead of the API server's; negative if it is behind, 0 if unknown. The
 * kubelet sets an event's `firstTimestamp`, the API server its `creationTimestamp`.
 */
export function clockSkewMs(observed: PodObservation): number {
  const leads = observed.events.flatMap(({ container, firstAtMs, createdAtMs }) =>
    container === null || firstAtMs === null || createdAtMs === null ? [] : [firstAtMs - createdAtMs],
  );
  const lead = greatestOf(leads);
  if (leads.length > 0 && lead >= LEAST_AHEAD_MS) return lead;
  return leads.length >= LEAST_EVENTS_BEHIND && lead <= -LEAST_BEHIND_MS ? lead : 0;
}
