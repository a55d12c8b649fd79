import { FLAT_RETRY, nextLookAfterMs, TICK_MS } from "../../kubelet/retry-rule.ts";
import { mountDelayMs, saysOnlyThatVolumesAreMissing } from "../../kubelet/start-obstacles.ts";
import type { Obstacle, Window } from "../answer/explanation.ts";
import { areEventsComplete } from "../observed/event-budget.ts";
import type { PodObservation } from "../observed/observation.ts";
import type { PodContext } from "./pod-context.ts";
import { CONFIDENCE } from "./start-window.ts";

const SECOND_MS = 1_000;

/**
 * The next attempt at what holds up the whole pod, where a kubelet has a time for it: the next sync after its sandbox failed, the
 * mount's own back-off after a mount failed.
 */
export function obstacleWindow(obstacle: Obstacle | null, context: PodContext): Window | null {
  const last = obstacle?.repeated;
  if (obstacle === null || last === undefined) return null;
  if (obstacle.kind === "sandbox") return repeatedWindow(last, SYNC_AFTER_FAILURE, context);
  if (obstacle.kind !== "volume" || saysOnlyThatVolumesAreMissing(obstacle.message)) return null;
  return repeatedWindow(last, mountsAfter(last, context.observed), context);
}

type Repeated = NonNullable<Obstacle["repeated"]>;

const SYNC_AFTER_FAILURE = nextLookAfterMs(FLAT_RETRY, 0);

/** A volume that has failed with other words, too, has waited longer than this event's count tells. */
function mountsAfter({ count }: Repeated, { events }: PodObservation): readonly [number, number] {
  const all = events.filter(({ reason, container }) => reason === "FailedMount" && container === null);
  const most = all.reduce((sum, event) => sum + event.count, 0);
  return [mountDelayMs(count), mountDelayMs(Math.max(count, most))];
}

/** Null while the attempt after the last failure is under way: nobody knows how long it takes. */
function repeatedWindow(
  { count, firstAtMs, lastAtMs }: Repeated,
  [leastMs, mostMs]: readonly [number, number],
  { observed, policy, atMs }: PodContext,
): Window | null {
  if (lastAtMs === null) return null;
  const dueByMs = lastAtMs + SECOND_MS + mostMs + TICK_MS;
  if (atMs <= dueByMs)
    return { notBeforeMs: Math.max(atMs, lastAtMs + leastMs), likelyByMs: dueByMs, confidence: CONFIDENCE };
  if (areEventsComplete(observed.events, "Warning", policy.traits)) return null;
  // Failures are held back: the next comes as soon as they have come so far.
  const paceMs = count < 2 || firstAtMs === null ? 0 : (lastAtMs - firstAtMs) / (count - 1);
  const likelyByMs = atMs + Math.max(mostMs, paceMs) + SECOND_MS + TICK_MS;
  return { notBeforeMs: atMs, likelyByMs, confidence: CONFIDENCE };
}
