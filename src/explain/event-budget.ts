import type { EventSnapshot } from "./observation.ts";

/** client-go's EventSourceObjectSpamFilter: 25 events of a type at once, then one in 5 minutes (tools/record, v0.37.1). */
const BURST = 25;

/**
 * Whether the kubelet can have sent every event of this type about the pod: counts include what was held back, so while
 * they add up to less than the burst nothing was. False also if there are no events to judge by.
 */
export function areEventsComplete(
  events: readonly EventSnapshot[],
  type: EventSnapshot["type"],
  sinceMs: number | null,
): boolean {
  const ofType = events.filter(
    (event) => event.type === type && (sinceMs === null || (event.lastAtMs ?? 0) >= sinceMs),
  );
  const sent = ofType.reduce((sum, event) => sum + Math.max(1, event.count), 0);
  return events.length > 0 && sent < BURST;
}
