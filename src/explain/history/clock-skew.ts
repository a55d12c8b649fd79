import { formatBriefDuration } from "../../kubelet/go-duration.ts";
import type { ContainerExplanation, Gap, Window } from "../answer/explanation.ts";
import { greatestOf } from "../observed/extremes.ts";
import type { PodObservation } from "../observed/observation.ts";

/** Both clocks are read in whole seconds, and an event takes a moment to arrive. */
const AHEAD_MS = 2_000;
const BEHIND_MS = 3_000;
/** A clock counts as behind only if this many events agree: the kubelet may have sent a single one late. */
const ENOUGH_EVENTS = 3;

/**
 * How far the node's clock is ahead of the API server's, in milliseconds; 0 if no event shows a difference. Each event has
 * both clocks: the kubelet writes `firstTimestamp`, the API server `creationTimestamp`.
 */
export function clockSkewMs(observed: PodObservation): number {
  const leads = observed.events.flatMap(({ container, firstAtMs, createdAtMs }) =>
    container === null || firstAtMs === null || createdAtMs === null ? [] : [firstAtMs - createdAtMs],
  );
  const lead = greatestOf(leads);
  if (leads.length > 0 && lead >= AHEAD_MS) return lead;
  return leads.length >= ENOUGH_EVENTS && lead <= -BEHIND_MS ? lead : 0;
}

/** Shifts predicted instants to the server's clock; past instants stay as the node reported them and kubectl shows them. */
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

/** Shifts a predicted start from the node's clock, which is ahead by `skewMs`, to the server's clock. */
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
