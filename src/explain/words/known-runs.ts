import { delayAtStep } from "../../backoff/curve.ts";
import type { CrashLoopPolicy } from "../../kubelet/policy.ts";
import type { Run } from "../answer/explanation.ts";
import { takenAtMs } from "../observed/lookups.ts";
import type { PodObservation } from "../observed/observation.ts";
import { likeliestEntry } from "../replay/beliefs.ts";
import type { ContainerFacts } from "../replay/facts.ts";

/** A restartCount in the thousands would drown the runs that matter. */
const MOST_INFERRED = 1_000;

/** The container's runs, oldest first: those that were seen, and before them those that only restartCount tells of. */
export function knownRuns(facts: ContainerFacts, observed: PodObservation, policy: CrashLoopPolicy): Run[] {
  const seen = facts.runs.map((run, index): Run => {
    const next = facts.runs[index + 1];
    return {
      start: run.start,
      startedAtMs: run.startedAtMs,
      finishedAtMs: run.finishedAtMs,
      exitCode: run.exit?.exitCode ?? null,
      waitedMs:
        next === undefined || next.start !== run.start + 1 ? null : timeBetween(run.finishedAtMs, next.startedAtMs),
      basis: "observed",
      startedBetweenMs: null,
    };
  });
  return [...inferredRuns(facts, observed, policy), ...seen];
}

function timeBetween(fromMs: number | null, toMs: number | null): number | null {
  return fromMs === null || toMs === null ? null : Math.max(0, toMs - fromMs);
}

/**
 * The runs before the first seen one, each with the bounds of its start. Waits count as lower bounds only where the curve
 * was not interrupted: with probe kills or resets in between a wait may have been nothing.
 */
function inferredRuns(facts: ContainerFacts, observed: PodObservation, policy: CrashLoopPolicy): Run[] {
  const first = facts.runs[0];
  const before = first?.start ?? facts.status?.restartCount ?? 0;
  const count = Math.min(before, MOST_INFERRED);
  const firstStart = before - count;
  const latestMs = first?.startedAtMs ?? first?.finishedAtMs ?? null;
  const earliestMs = takenAtMs(observed.pod);
  const waits = leastWaits(facts, count, policy);
  const total = waits.reduce((sum, waitMs) => sum + waitMs, 0);
  const earliest = earliestStarts(earliestMs, first?.startedAtMs ?? null, waits, policy);
  let passedMs = 0;
  return Array.from({ length: count }, (_, index): Run => {
    const fromMs = earliest[index] ?? null;
    const toMs = latestMs === null ? null : latestMs - (total - passedMs);
    passedMs += waits[index] ?? 0;
    const startedBetweenMs = fromMs !== null && toMs !== null && fromMs <= toMs ? ([fromMs, toMs] as const) : null;
    const unknown = { startedAtMs: null, finishedAtMs: null, exitCode: null, waitedMs: null };
    return { start: firstStart + index, ...unknown, basis: "inferred", startedBetweenMs };
  });
}

/**
 * The wait after each inferred run, at least: an entry at some step of the curve has gone through all steps below it, one
 * start each, so the waits before the first seen start are bounded from there backwards, whatever came earlier.
 */
function leastWaits(facts: ContainerFacts, count: number, policy: CrashLoopPolicy): number[] {
  const likeliest = likeliestEntry(facts.beliefs);
  const isPlain =
    facts.runs.every((run) => run.cause.killedBySync < 0.01) &&
    (likeliest?.rules.every((rule) => UNBROKEN.has(rule)) ?? false);
  const delayMs = likeliest?.entry?.delayMs ?? 0;
  const doublings = delayMs < policy.initialMs ? -1 : Math.ceil(Math.log2(delayMs / policy.initialMs));
  const stepAtFirst = doublings - Math.max(0, facts.runs.length - 1);
  return Array.from({ length: count }, (_, index) => {
    const step = stepAtFirst - (count - index);
    return isPlain && step >= 0 ? delayAtStep(step, policy) : 0;
  });
}

/** The kubelet clears its entries every 2 s, and an instance starts some seconds after its entry is made. */
const CLEARING_MS = 10_000;

/**
 * From when on each inferred run can have started. An entry that lasted to the next start was made at most the reset before it,
 * so while the curve rose, runs and waits were shorter than that; before it nothing is known but the pod's own age.
 */
function earliestStarts(
  earliestMs: number | null,
  nextStartMs: number | null,
  waits: readonly number[],
  { resetAfterMs }: CrashLoopPolicy,
): (number | null)[] {
  if (earliestMs === null) return waits.map(() => null);
  let fromMs = nextStartMs ?? Number.NEGATIVE_INFINITY;
  const bounds = waits.toReversed().map((waitMs) => {
    fromMs = waitMs > 0 ? fromMs - resetAfterMs - CLEARING_MS : Number.NEGATIVE_INFINITY;
    return fromMs;
  });
  let passedMs = earliestMs;
  return bounds.toReversed().map((boundMs, index) => {
    const startMs = Math.max(passedMs, boundMs);
    passedMs = startMs + (waits[index] ?? 0);
    return startMs;
  });
}

const UNBROKEN = new Set(["restart-count-names-the-step", "earlier-reset", "gap-tells-the-delay"]);
