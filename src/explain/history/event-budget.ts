import type { KubeletTraits } from "../../kubelet/traits.ts";
import type { EventSnapshot } from "../observed/observation.ts";

/** client-go's `EventSourceObjectSpamFilter`: 25 events at once, then one in 5 minutes (tools/record/events_cache.go, v0.37.1). */
const BURST = 25;

/**
 * Whether the kubelet can have sent every event of this type about the pod: counts include what it held back, so while
 * they add up to less than the burst it held back none. False also if there are no events to judge by.
 */
export function areEventsComplete(
  events: readonly EventSnapshot[],
  type: EventSnapshot["type"],
  { hasEventBurstPerType }: Pick<KubeletTraits, "hasEventBurstPerType">,
): boolean {
  const sharing = hasEventBurstPerType ? events.filter((event) => event.type === type) : events;
  const sent = sharing.reduce((sum, event) => sum + Math.max(1, event.count), 0);
  return events.length > 0 && sent < BURST;
}
