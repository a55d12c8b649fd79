import { greatestOf, leastOf } from "../../explain/observed/max-min.ts";
import { HOUR_MS, MINUTE_MS } from "../../kubelet/go-duration.ts";
import type { Timeline } from "./timeline.ts";

/** The part before `detailFromMs` is condensed. */
export interface Extent {
  readonly startMs: number;
  readonly detailFromMs: number;
  readonly endMs: number;
}

/**
 * A longer timeline has a detailed part, which usually begins at most an hour before now. To contain `FEWEST_RUNS` runs
 * of each lane, the detailed part can begin earlier.
 */
const MOST_IN_DETAIL_MS = 1.5 * HOUR_MS;
const FEWEST_RUNS = 3;

/** If a lane has more runs than this, its older runs can be condensed. */
const MOST_RUNS = 60;

const LONG_MS = 10 * MINUTE_MS;

/** If the condensed part would be less than this share of the detailed part, everything is shown in detail. */
const SMALLEST_SHARE = 0.15;

/** If the failures and a short time before them fill less than this share of the timeline, older time is condensed. */
const YOUNG_FAILURES = 0.35;

const LEAD_SHARE = 0.25;

/** If a lane has a next start, at least this share of the detailed part is after now. The start's label needs room. */
const NEXT_SHARE = 0.25;

const END_MARGIN = 0.03;

/** Condenses nothing in a simulation, where `nowMs` is null. */
export function extentOf(timeline: Omit<Timeline, "clock">): Extent {
  const { nowMs } = timeline;
  const instants = [
    ...instantsOf(timeline),
    ...(nowMs === null ? [0] : [nowMs - MINUTE_MS / 2, nowMs + MINUTE_MS / 2]),
  ];
  const lastMs = greatestOf(instants);
  const startMs = leastOf(instants);
  const fromMs = nowMs === null ? startMs : detailFrom(timeline, nowMs, startMs, lastMs);
  const detailFromMs = fromMs - startMs < (lastMs - fromMs) * SMALLEST_SHARE ? startMs : fromMs;
  const endMs = lastMs + Math.max(1, lastMs - detailFromMs) * END_MARGIN;
  const hasNext = nowMs !== null && timeline.lanes.some(({ next }) => next !== null);
  const roomMs = hasNext ? nowMs + ((nowMs - detailFromMs) * NEXT_SHARE) / (1 - NEXT_SHARE) : endMs;
  return { startMs, detailFromMs, endMs: Math.max(endMs, roomMs) };
}

function detailFrom(timeline: Omit<Timeline, "clock">, nowMs: number, startMs: number, lastMs: number): number {
  const starts = timeline.lanes.map(({ runs }) => runs.map((run) => run.startMs));
  const mostMs = Math.max(startMs, ...starts.map((each) => each.at(-MOST_RUNS) ?? startMs));
  const earliestMs = Math.max(
    mostMs,
    beforeFailures(timeline, startMs, lastMs),
    beforeObserved(timeline, nowMs, startMs, lastMs),
  );
  if (lastMs - startMs <= MOST_IN_DETAIL_MS) return earliestMs;
  const fewest = starts.filter((each) => each.length > 1).map((each) => each.at(-FEWEST_RUNS) ?? startMs);
  const enoughMs = Math.max(Math.min(nowMs - HOUR_MS, ...fewest), nowMs - 24 * HOUR_MS);
  return Math.max(earliestMs, enoughMs);
}

function beforeFailures({ lanes }: Pick<Timeline, "lanes">, startMs: number, lastMs: number): number {
  const runs = lanes.flatMap((lane) => (lane.isCalm ? [] : lane.runs));
  const exits = runs.filter(({ end }) => end !== "goes-on").map(({ endMs }) => endMs);
  const waits = lanes.flatMap((lane) => lane.waits.map((wait) => wait.startMs));
  const firstMs = leastOf([...exits, ...waits], lastMs);
  const fromMs = firstMs - (lastMs - firstMs) * LEAD_SHARE;
  return firstMs < lastMs && lastMs - fromMs < (lastMs - startMs) * YOUNG_FAILURES ? fromMs : startMs;
}

function beforeObserved({ lanes }: Pick<Timeline, "lanes">, nowMs: number, startMs: number, lastMs: number): number {
  const firstObservedMs = lanes.flatMap(({ runs }) => runs.find(({ basis }) => basis === "observed")?.startMs ?? []);
  const firstMs = leastOf(firstObservedMs, lastMs);
  const observedMs = lastMs - firstMs;
  const isMostOfIt = observedMs > 0 && firstMs - startMs > observedMs;
  return isMostOfIt && lastMs - startMs > LONG_MS
    ? Math.min(firstMs - observedMs * LEAD_SHARE, nowMs - (lastMs - nowMs))
    : startMs;
}

function instantsOf({ lanes }: Pick<Timeline, "lanes">): number[] {
  return lanes.flatMap(({ runs, waits, attempts, next, reset }) => [
    ...runs.flatMap(({ startMs, endMs }) => [startMs, endMs]),
    ...waits.flatMap(({ startMs, endMs, wouldEndMs }) => [startMs, endMs, wouldEndMs ?? endMs]),
    ...(attempts === null ? [] : [attempts.firstAtMs, attempts.newestAtMs]),
    ...(next === null ? [] : [next.fromMs, next.toMs]),
    ...(reset === null ? [] : [reset.atMs]),
  ]);
}
