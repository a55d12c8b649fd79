import type { ContainerExplanation, LastExit, Run } from "../../explain/answer/explanation.ts";
import { greatestOf } from "../../explain/observed/max-min.ts";
import { awaitsRestart } from "../../explain/triage.ts";
import { exitClause, exitTag } from "../page/container-words.ts";
import { formatElapsed } from "../page/durations.ts";
import type { Moment } from "../page/page.ts";
import type { Times } from "../page/times.ts";
import type { LaneRun } from "./timeline.ts";

export function runsOf(container: ContainerExplanation, { nowMs, times }: Moment): LaneRun[] {
  const { history } = container;
  const seen = history.filter(({ basis }) => basis === "observed").flatMap((run) => placeObserved(run, nowMs));
  const inferred = history.filter(({ basis }) => basis === "inferred");
  const lengthsMs = seen.map(({ startMs, endMs }) => endMs - startMs);
  const mostMs = lengthsMs.length === 0 ? Number.POSITIVE_INFINITY : greatestOf(lengthsMs);
  const unseen = [...placeInferred(inferred, seen[0]?.startMs ?? nowMs, mostMs), ...runsInGaps(seen, mostMs)];
  return [
    ...seen.map((placed) => observedRun(placed, container, times)),
    ...unseen.map((placed) => unobservedRun(placed, times)),
  ].toSorted((a, b) => a.startMs - b.startMs || a.endMs - b.endMs);
}

interface Observed extends Placed {
  readonly run: Run;
}

function placeObserved(run: Run, nowMs: number): Observed[] {
  const { start, startedAtMs, finishedAtMs } = run;
  if (startedAtMs === null && finishedAtMs === null) return [];
  const startMs = startedAtMs ?? finishedAtMs ?? nowMs;
  return [{ start, run, startMs, endMs: Math.max(startMs, finishedAtMs ?? nowMs) }];
}

function runsInGaps(seen: readonly Observed[], mostMs: number): Unobserved[] {
  return seen.slice(1).flatMap((later, index) => {
    const earlier = seen[index];
    if (earlier === undefined || earlier.endMs >= later.startMs) return [];
    const runs = Array.from({ length: later.start - earlier.start - 1 }, (_, before) => ({
      start: earlier.start + 1 + before,
      startedBetweenMs: [earlier.endMs, later.startMs] as const,
      waitedMs: null,
    }));
    return placeInferred(runs, later.startMs, mostMs);
  });
}

function observedRun({ run, startMs, endMs }: Observed, container: ContainerExplanation, times: Times): LaneRun {
  const { lastExit, state, name } = container;
  const exit = run.finishedAtMs !== null && lastExit?.finishedAtMs === run.finishedAtMs ? lastExit : null;
  const span = run.startedAtMs === null ? `Until ${times.instant(endMs)}` : spanWords(run, startMs, endMs, times);
  const neverRan = exit?.cause === "start-error";
  return {
    startMs: neverRan ? endMs : startMs,
    endMs,
    basis: "observed",
    end: neverRan ? "never-ran" : endOf(run, state),
    label: labelOf(run, exit),
    title: `${name}, ${ordinal(run.start)}. ${span}${exitWords(run, exit)}.`,
  };
}

function endOf({ finishedAtMs, exitCode }: Run, state: ContainerExplanation["state"]): LaneRun["end"] {
  if (finishedAtMs === null) return "goes-on";
  if (exitCode === null) return "unknown";
  return exitCode === 0 && !awaitsRestart({ state }) ? "succeeded" : "failed";
}

function labelOf({ exitCode }: Run, exit: LastExit | null): string {
  if (exit !== null) return exit.cause === "restart-all" ? exitTag(exit, true) : `exit ${exitTag(exit, true)}`;
  return exitCode === null ? "" : `exit ${exitCode}`;
}

function exitWords({ exitCode }: Run, exit: LastExit | null): string {
  if (exit !== null) return `: ${exitClause({ ...exit, startedAtMs: null })}`;
  return exitCode === null ? "" : `: exit code ${exitCode}`;
}

function spanWords({ finishedAtMs }: Run, startMs: number, endMs: number, times: Times): string {
  if (finishedAtMs === null) return `Up since ${times.instant(startMs)} (${formatElapsed(endMs - startMs)})`;
  return `${times.span(startMs, endMs)} (${formatElapsed(endMs - startMs)})`;
}

function unobservedRun({ start, startMs, endMs, startedBetweenMs }: Unobserved, times: Times): LaneRun {
  const began = times.span(...startedBetweenMs);
  const title = `${ordinal(start)}. Not observed: it began at ${began}. Its place here is estimated.`;
  return { startMs, endMs, basis: "inferred", end: "unknown", label: "", title };
}

function ordinal(start: number): string {
  return start === 0 ? "first start" : `restart ${start}`;
}

interface Placed {
  readonly start: number;
  readonly startMs: number;
  readonly endMs: number;
}

interface Unobserved extends Placed {
  readonly startedBetweenMs: NonNullable<Run["startedBetweenMs"]>;
}

/** Estimates the instants of unobserved runs. A run lasts at most `mostMs`, and the last run ends by `beforeMs`. */
export function placeInferred(
  runs: readonly Pick<Run, "start" | "startedBetweenMs" | "waitedMs">[],
  beforeMs: number,
  mostMs: number,
): Unobserved[] {
  const known = runs.flatMap(({ start, startedBetweenMs, waitedMs }) =>
    startedBetweenMs === null ? [] : [{ start, waitedMs, startedBetweenMs }],
  );
  const shareMs = (index: number, share: number): number => {
    const [fromMs, toMs] = known[index]?.startedBetweenMs ?? [0, 0];
    return fromMs + (toMs - fromMs) * (share / known.length);
  };
  return known.map(({ start, waitedMs, startedBetweenMs }, index) => {
    const nextMs = index + 1 < known.length ? shareMs(index + 1, index + 1) : beforeMs;
    const startMs = Math.min(shareMs(index, index), nextMs);
    const endMs = waitedMs === null ? shareMs(index, index + 1) : nextMs - waitedMs;
    return { start, startedBetweenMs, startMs, endMs: Math.max(startMs, Math.min(endMs, nextMs, startMs + mostMs)) };
  });
}
