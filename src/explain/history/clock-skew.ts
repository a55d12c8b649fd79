import { formatBriefDuration } from "../../kubelet/go-duration.ts";
import type { ContainerExplanation, Gap, Window } from "../answer/explanation.ts";
import { greatestOf } from "../observed/extremes.ts";
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

/** Shifts predicted instants to the server's clock. Past instants stay as the node reported them. */
export function containerByServerClock(container: ContainerExplanation, skewMs: number): ContainerExplanation {
  const { reset, imagePull } = container;
  return {
    ...container,
    ...startByServerClock(container, skewMs),
    reset: reset === null ? null : { ...reset, atMs: reset.atMs - skewMs },
    imagePull: imagePull === null ? null : { ...imagePull, nextPull: earlier(imagePull.nextPull, skewMs) },
  };
}

type NextStart = Pick<ContainerExplanation, "nextRestart" | "overdue">;

export function startByServerClock({ nextRestart, overdue }: NextStart, skewMs: number): NextStart {
  return {
    nextRestart: earlier(nextRestart, skewMs),
    overdue: overdue === null ? null : { ...overdue, expectedByMs: overdue.expectedByMs - skewMs },
  };
}

function earlier(window: Window | null, skewMs: number): Window | null {
  if (window === null) return null;
  return { ...window, notBeforeMs: window.notBeforeMs - skewMs, likelyByMs: window.likelyByMs - skewMs };
}

export function skewGap(skewMs: number): Gap[] {
  if (skewMs === 0) return [];
  const by = formatBriefDuration(Math.abs(skewMs));
  const message = `The node's clock is about ${by} ${skewMs > 0 ? "ahead of" : "behind"} the API server's: past times are in node time, predictions in server time.`;
  return [{ code: "clock-skew", message }];
}
