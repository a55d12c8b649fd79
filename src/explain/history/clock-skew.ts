import { greatestOf } from "../observed/max-min.ts";
import type { PodObservation } from "../observed/observation.ts";

/** Assumed: a smaller difference can come from truncated instants and from events that arrive late. */
const LEAST_AHEAD_MS = 2_000;
const LEAST_BEHIND_MS = 3_000;
/** Assumed: of this many events, the kubelet sends at least one without delay. */
const LEAST_EVENTS_BEHIND = 3;

/**
 * Estimates by how much the node's clock is ahead of the API server's; negative if it is behind. Assumed: the kubelet
 * has set the events' `firstTimestamp`. The API server sets their `creationTimestamp`.
 */
export function clockSkewMs(observed: PodObservation): number {
  const leads = observed.events.flatMap(({ container, count, firstAtMs, createdAtMs }) =>
    container === null || firstAtMs === null || createdAtMs === null
      ? []
      : [{ leadMs: firstAtMs - createdAtMs, isRepeated: count > 1 }],
  );
  const mostMs = greatestOf(leads.map(({ leadMs }) => leadMs));
  if (mostMs >= LEAST_AHEAD_MS) return mostMs;
  // The kubelet can create an expired event again (`recordEvent`, client-go v0.37.1, tools/record/event.go), so a
  // repeated event may have a `creationTimestamp` long after its first time.
  const isBehind = leads.filter(({ isRepeated }) => !isRepeated).length >= LEAST_EVENTS_BEHIND;
  return isBehind && mostMs <= -LEAST_BEHIND_MS ? mostMs : 0;
}
