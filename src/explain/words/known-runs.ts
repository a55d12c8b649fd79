import { delayAtStep } from "../../backoff/curve.ts";
import type { CrashLoopPolicy } from "../../kubelet/crash-loop-policy.ts";
import type { Run } from "../answer/explanation.ts";
import type { PastRun } from "../history/container-history.ts";
import { oldestStartAtMs } from "../observed/lookups.ts";
import type { PodObservation } from "../observed/observation.ts";
import type { Prediction } from "../prediction/prediction.ts";
import { likeliestBelief } from "../replay/beliefs.ts";
import type { ReplayedContainer } from "../replay/replayed-container.ts";

const MOST_INFERRED = 1_000;

export function knownRuns({ facts, observed, policy }: Prediction): Run[] {
  const seen = facts.runs.map(({ start, startedAtMs, finishedAtMs, exit }, index): Run => {
    const next = facts.runs[index + 1];
    const nextMs = next?.start === start + 1 ? next.startedAtMs : null;
    const waitedMs = finishedAtMs === null || nextMs === null ? null : Math.max(0, nextMs - finishedAtMs);
    const exitCode = exit?.exitCode ?? null;
    return { start, startedAtMs, finishedAtMs, exitCode, waitedMs, basis: "observed", startedBetweenMs: null };
  });
  return [...inferredRuns(facts, observed, policy), ...seen];
}

function inferredRuns(facts: ReplayedContainer, observed: PodObservation, policy: CrashLoopPolicy): Run[] {
  const [first] = facts.runs;
  const before = first?.start ?? facts.status?.restartCount ?? 0;
  const count = Math.min(before, MOST_INFERRED);
  return startBounds(first, leastWaits(facts, count, policy), oldestStartAtMs(observed.pod), policy).map(
    (bounds, index) => {
      const unknown = { startedAtMs: null, finishedAtMs: null, exitCode: null, waitedMs: null };
      return { start: before - count + index, ...unknown, basis: "inferred", startedBetweenMs: bounds };
    },
  );
}

/**
 * Returns the minimum wait after each inferred run; 0 if unknown. Inferred: counted back from the latest delay, the
 * wait after each earlier run has one doubling less.
 */
function leastWaits(facts: ReplayedContainer, count: number, policy: CrashLoopPolicy): number[] {
  const likeliest = likeliestBelief(facts.beliefs);
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

/** Assumed: without a reset, the time from a start to the next start is at most `resetAfterMs` plus `CLEARING_MS`. */
const CLEARING_MS = 10_000;

/**
 * Assumed: if the minimum wait after a run is above 0, the back-off has not reset. Then the run and the wait together
 * last at most about `resetAfterMs`.
 */
function startBounds(
  first: PastRun | undefined,
  waits: readonly number[],
  bornAtMs: number | null,
  { resetAfterMs }: CrashLoopPolicy,
): Run["startedBetweenMs"][] {
  const firstMs = first?.startedAtMs ?? first?.finishedAtMs ?? null;
  if (bornAtMs === null || firstMs === null) return waits.map(() => null);
  let [fromMs, toMs] = [first?.startedAtMs ?? Number.NEGATIVE_INFINITY, firstMs];
  const fromTheEnd = waits.toReversed().map((waitMs) => {
    fromMs = waitMs > 0 ? fromMs - resetAfterMs - CLEARING_MS : Number.NEGATIVE_INFINITY;
    toMs -= waitMs;
    return { fromMs, toMs, waitMs };
  });
  let passedMs = bornAtMs;
  return fromTheEnd.toReversed().map((bounds) => {
    const earliestMs = Math.max(passedMs, bounds.fromMs);
    passedMs = earliestMs + bounds.waitMs;
    return earliestMs <= bounds.toMs ? [earliestMs, bounds.toMs] : null;
  });
}

const UNBROKEN = new Set(["restart-count-names-the-step", "earlier-reset", "gap-tells-the-delay"]);
