import { greatestOf } from "../observed/max-min.ts";
import type { PodObservation } from "../observed/observation.ts";

/** The API truncates instants to seconds, and an event takes time to arrive, so smaller differences show no skew. */
const LEAST_AHEAD_MS = 2_000;
const LEAST_BEHIND_MS = 3_000;
/** With fewer events, the kubelet may have sent all of them late, which looks like a clock that is behind. */
const LEAST_EVENTS_BEHIND = 3;

/**
 * Returns by how many ms the node's clock is ahead of the API server's; negative if it is behind, 0 if the events show
 * no skew. The kubelet sets an event's `firstTimestamp`, the API server its `creationTimestamp`.
 */
export function clockSkewMs(observed: PodObservation): number {
  const leads = observed.events.flatMap(({ container, count, firstAtMs, createdAtMs }) =>
    container === null || firstAtMs === null || createdAtMs === null
      ? []
      : [{ leadMs: firstAtMs - createdAtMs, isRepeated: count > 1 }],
  );
  const mostMs = greatestOf(leads.map(({ leadMs }) => leadMs));
  if (mostMs >= LEAST_AHEAD_MS) return mostMs;
  // The kubelet creates an event again that has expired or was deleted (`recordEvent`, client-go v0.37.1,
  // tools/record/event.go), so the API server may have created a repeated event long after its first time.
  const isBehind = leads.filter(({ isRepeated }) => !isRepeated).length >= LEAST_EVENTS_BEHIND;
  return isBehind && mostMs <= -LEAST_BEHIND_MS ? mostMs : 0;
}
