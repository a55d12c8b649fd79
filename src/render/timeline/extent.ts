import type { Timeline } from "./timeline.ts";

/** Which time a picture shows: all of it, in detail only from `detailFromMs` on; what was before that is condensed. */
export interface Extent {
  readonly startMs: number;
  readonly detailFromMs: number;
  readonly endMs: number;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Up to here everything is shown in detail. */
const MOST_IN_DETAIL_MS = 1.5 * HOUR_MS;

/** Of one lane, more runs than these next to each other are a blur. */
const MOST_RUNS = 60;

/** A shorter time is shown whole, also where little of it was observed. */
const LONG_MS = 10 * MINUTE_MS;

/** If they are longer than an hour, so many runs of a lane are shown in detail, but never more than a day. */
const FEWEST_RUNS = 3;

/** A condensed part that is a smaller share than this of the rest is not worth its explanation. */
const SMALLEST_SHARE = 0.15;

/** Trouble is young if it makes up less than this share of the time. */
const YOUNG_TROUBLE = 0.35;

/** So much of its length is shown before it. */
const TROUBLE_MARGIN = 0.25;

/** What is to come has at least this share of the detail: its label needs room right of now. */
const NEXT_SHARE = 0.25;

/** So much room is at the end, as a share of what is shown in detail. */
const END_MARGIN = 0.03;

/** The time that a timeline covers: without a now all of it in detail, else with half a minute on either side of now, at least. */
export function extentOf(timeline: Timeline): Extent {
  const { nowMs } = timeline;
  const instants = [
    ...instantsOf(timeline),
    ...(nowMs === null ? [0] : [nowMs - MINUTE_MS / 2, nowMs + MINUTE_MS / 2]),
  ];
  const lastMs = instants.reduce((a, b) => Math.max(a, b));
  const startMs = instants.reduce((a, b) => Math.min(a, b));
  const fromMs = nowMs === null ? startMs : detailFrom(timeline, nowMs, startMs, lastMs);
  const detailFromMs = fromMs - startMs < (lastMs - fromMs) * SMALLEST_SHARE ? startMs : fromMs;
  const endMs = lastMs + Math.max(1, lastMs - detailFromMs) * END_MARGIN;
  const hasNext = nowMs !== null && timeline.lanes.some(({ next }) => next !== null);
  const roomMs = hasNext ? nowMs + ((nowMs - detailFromMs) * NEXT_SHARE) / (1 - NEXT_SHARE) : endMs;
  return { startMs, detailFromMs, endMs: Math.max(endMs, roomMs) };
}

function detailFrom(timeline: Timeline, nowMs: number, startMs: number, lastMs: number): number {
  const starts = timeline.lanes.map(({ runs }) => runs.map((run) => run.startMs));
  const mostMs = Math.max(startMs, ...starts.map((each) => each.at(-MOST_RUNS) ?? startMs));
  const earliestMs = Math.max(
    mostMs,
    beforeTrouble(timeline, startMs, lastMs),
    beforeObserved(timeline, nowMs, startMs, lastMs),
  );
  if (lastMs - startMs <= MOST_IN_DETAIL_MS) return earliestMs;
  const fewest = starts.filter((each) => each.length > 1).map((each) => each.at(-FEWEST_RUNS) ?? startMs);
  const enoughMs = Math.max(Math.min(nowMs - HOUR_MS, ...fewest), nowMs - 24 * HOUR_MS);
  return Math.max(earliestMs, enoughMs);
}

/** Where trouble is much younger than the pod, the time before its first exit needs no room. */
function beforeTrouble({ lanes }: Timeline, startMs: number, lastMs: number): number {
  const runs = lanes.flatMap((lane) => (lane.isCalm ? [] : lane.runs));
  const exits = runs.filter(({ end }) => end !== "goes-on").map(({ endMs }) => endMs);
  const waits = lanes.flatMap((lane) => lane.waits.map((wait) => wait.startMs));
  const firstMs = [...exits, ...waits].reduce((a, b) => Math.min(a, b), lastMs);
  const fromMs = firstMs - (lastMs - firstMs) * TROUBLE_MARGIN;
  return firstMs < lastMs && lastMs - fromMs < (lastMs - startMs) * YOUNG_TROUBLE ? fromMs : startMs;
}

/**
 * Runs that nobody observed need no room where they took more time than all that was observed: one block says as much. What
 * lies ahead gets no more room than what was before.
 */
function beforeObserved({ lanes }: Timeline, nowMs: number, startMs: number, lastMs: number): number {
  const firstMs = lanes
    .flatMap(({ runs }) => runs.find(({ basis }) => basis === "seen")?.startMs ?? [])
    .reduce((a, b) => Math.min(a, b), lastMs);
  const observedMs = lastMs - firstMs;
  const isMostOfIt = observedMs > 0 && firstMs - startMs > observedMs;
  return isMostOfIt && lastMs - startMs > LONG_MS
    ? Math.min(firstMs - observedMs * TROUBLE_MARGIN, nowMs - (lastMs - nowMs))
    : startMs;
}

function instantsOf({ lanes }: Timeline): number[] {
  return lanes.flatMap(({ runs, waits, attempts, next, reset }) => [
    ...runs.flatMap(({ startMs, endMs }) => [startMs, endMs]),
    ...waits.flatMap(({ startMs, endMs, wouldEndMs }) => [startMs, endMs, wouldEndMs ?? endMs]),
    ...(attempts === null ? [] : [attempts.firstAtMs, attempts.newestAtMs]),
    ...(next === null ? [] : [next.fromMs, next.toMs]),
    ...(reset === null ? [] : [reset.atMs]),
  ]);
}
