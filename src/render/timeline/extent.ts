import type { Timeline } from "./timeline.ts";

/** The time that a picture shows. The part before `detailFromMs` is condensed. */
export interface Extent {
  readonly startMs: number;
  readonly detailFromMs: number;
  readonly endMs: number;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** The detailed part of a longer time is an hour, or longer if FEWEST_RUNS runs took longer, but at most a day. */
const MOST_IN_DETAIL_MS = 1.5 * HOUR_MS;
const FEWEST_RUNS = 3;

/** The most runs of a lane in the detailed part: more would be a blur. */
const MOST_RUNS = 60;

/** A shorter time is not condensed because little of it was observed. */
const LONG_MS = 10 * MINUTE_MS;

/** A condensed part that would be a smaller share of the detailed part is shown in detail instead. */
const SMALLEST_SHARE = 0.15;

/** Trouble that makes up a smaller share of the time is young: the time before it is condensed. */
const YOUNG_TROUBLE = 0.35;

/** The time in detail before trouble, or before observed runs, as a share of their length. */
const TROUBLE_MARGIN = 0.25;

/** The least share of the detailed part after now, because the label of the next start needs room. */
const NEXT_SHARE = 0.25;

/** The room at the end, as a share of the detailed part. */
const END_MARGIN = 0.03;

/** The time that a timeline covers, at least half a minute on either side of now. Without a now, all of it is detailed. */
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

/** If trouble is much younger than the pod, the time before the first exit needs no room. */
function beforeTrouble({ lanes }: Timeline, startMs: number, lastMs: number): number {
  const runs = lanes.flatMap((lane) => (lane.isCalm ? [] : lane.runs));
  const exits = runs.filter(({ end }) => end !== "goes-on").map(({ endMs }) => endMs);
  const waits = lanes.flatMap((lane) => lane.waits.map((wait) => wait.startMs));
  const firstMs = [...exits, ...waits].reduce((a, b) => Math.min(a, b), lastMs);
  const fromMs = firstMs - (lastMs - firstMs) * TROUBLE_MARGIN;
  return firstMs < lastMs && lastMs - fromMs < (lastMs - startMs) * YOUNG_TROUBLE ? fromMs : startMs;
}

/** Unobserved runs need no room if they took longer than the observed ones. The time after now gets at most half. */
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
