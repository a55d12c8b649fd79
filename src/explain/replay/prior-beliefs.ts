import { delaysOf } from "../../backoff/curve.ts";
import type { CrashLoopPolicy } from "../../kubelet/crash-loop-policy.ts";
import { longestLatenessMs } from "../../kubelet/retry-rule.ts";
import type { PastRun } from "../history/container-history.ts";
import { EVENTS_SURELY_KEPT_MS } from "../history/events.ts";
import type { StartsBefore } from "../history/resets.ts";
import type { RestartAlls } from "../history/restart-rules.ts";
import { runLengthMs, startOf } from "../history/runs.ts";
import {
  chanceOfLongRuns,
  fitOfSeries,
  fitOfStep,
  fitOfTime,
  timeForReset,
  type UnobservedPeriod,
} from "../history/unobserved-period.ts";
import { type Belief, normalise, type Replayed, startWithoutPull, totalOf, withoutEntry } from "./beliefs.ts";

export interface PriorEvidence {
  readonly starts: StartsBefore | null;
  readonly unobserved: UnobservedPeriod | null;
  readonly sinceCounted: UnobservedPeriod | null;
  readonly restartAlls: RestartAlls;
  readonly bornAtMs: number | null;
  readonly wasInBackOff: boolean;
  /** The number of changes of the pod's spec at unknown times, by `metadata.generation`. */
  readonly specChanges: number;
  readonly areNodeEventsRead: boolean;
  /** Assumed: no back-off record exists, if lastState is from RestartAllContainers and no back-off event is known. */
  readonly hasNoEntry: boolean;
}

/** Returns what the kubelet may remember of the container's back-off at the start of `run`. */
export function priorBeliefs(run: PastRun, before: PriorEvidence, policy: CrashLoopPolicy): Replayed {
  const startedAtMs = startWithoutPull(run);
  const { count } = before.restartAlls;
  const starts = run.start - count;
  if (starts <= 0) return withoutEntry(run.start === 0 ? "first-run-has-no-entry" : "restart-all-leaves-no-entry");
  const delaysMs = delaysOf(policy);
  const hypotheses =
    count > 0 ? amidRestartAlls(delaysMs, run, before, policy) : byCounts(delaysMs.length, run, before, policy);
  const ofSteps = delaysMs.flatMap((delayMs, step): Belief[] => {
    const { share, name } = weighed(hypotheses, step);
    const fit = before.sinceCounted === null ? 1 : fitOfStep(before.sinceCounted, run.start, step, policy);
    const exits = timesSincePreviousExit(delaysMs, step, before.starts !== null, policy);
    return exits.map((beforeMs) => ({
      entry: { delayMs, lastUpdateMs: startedAtMs },
      previousFinishedAtMs: startedAtMs - beforeMs,
      share: (share * fit) / exits.length,
      rules: [name],
    }));
  });
  const isFirstKill = before.starts === null && starts === 1;
  const gone = count > 0 ? ENTRY_GONE : 1e-4 + NO_RECORD_OF_LOOP * chanceOfSeveralLoops(run, before, policy);
  const share = isFirstKill ? run.cause.killedBySync : gone;
  const none = { entry: undefined, previousFinishedAtMs: startedAtMs, share, rules: ["earlier-reset"] };
  const all = [...ofSteps, none];
  return { beliefs: normalise(all), fit: before.unobserved === null ? 1 : totalOf(all) };
}

function timesSincePreviousExit(
  delaysMs: number[],
  step: number,
  isAfterReset: boolean,
  policy: CrashLoopPolicy,
): number[] {
  if (step === 0 && isAfterReset) return [0, policy.resetAfterMs];
  const waits = delaysMs.slice(Math.max(0, step - 1), step === delaysMs.length - 1 ? step + 1 : step);
  return [0, ...waits.flatMap((waitMs) => [waitMs, waitMs + longestLatenessMs(policy.retry, waitMs)])];
}

interface Hypothesis {
  readonly name: string;
  readonly prior: number;
  readonly likelihood: (step: number) => number;
}

function weighed(hypotheses: readonly Hypothesis[], step: number) {
  const all = hypotheses.map(({ name, prior, likelihood }) => ({ name, share: prior * likelihood(step) }));
  const best = all.reduce((a, b) => (b.share > a.share ? b : a));
  return { share: totalOf(all), name: best.name };
}

function byCounts(stepCount: number, run: PastRun, before: PriorEvidence, policy: CrashLoopPolicy): Hypothesis[] {
  const { starts, unobserved } = before;
  const killed = run.cause.killedBySync;
  const expected = Math.min(starts?.count ?? run.start - 1, stepCount - 1);
  const lagging = starts === null ? Math.min(run.start - 2, stepCount - 1) : expected;
  const isSure = starts !== null || unobserved === null || killed > 0.01;
  const series = isSure ? 1 : fitOfSeries(unobserved, run.start, policy);
  const several = chanceOfSeveralLoops(run, before, policy);
  const counted = starts === null ? "restart-count-names-the-step" : "starts-since-the-reset";
  const isOpen = starts !== null && !starts.isExact;
  const isAt = (wanted: number) => (step: number) => Number(step === wanted);
  return [
    { name: counted, prior: (1 - several) * (1 - killed) * series, likelihood: isAt(expected) },
    { name: counted, prior: (1 - several) * killed * series, likelihood: isAt(lagging) },
    {
      name: counted,
      prior: isOpen ? STARTS_HELD_BACK : NO_RESET_HELPS,
      likelihood: (step) => Number(step > expected),
    },
    {
      name: "earlier-reset",
      prior: 1 / stepCount,
      likelihood: (step) => (step > expected ? 0 : chanceOfUnseenReset(step, run, before, policy)),
    },
    { name: "earlier-reset", prior: several * SECOND_RUN_OF_LOOP, likelihood: isAt(0) },
    {
      name: "earlier-reset",
      prior: (several * ANY_RUN_OF_LOOP) / stepCount,
      likelihood: (step) => Number(step <= expected),
    },
  ];
}

/** The counted starts lead to a delay. Each longer delay has this assumed weight, if more starts may have happened. */
const STARTS_HELD_BACK = 0.5;
// Assumed weights, if the earlier restarts were several crash loops. `SECOND_RUN_OF_LOOP` is for the initial delay, and
// `NO_RECORD_OF_LOOP` for no back-off record. `ANY_RUN_OF_LOOP`, divided by the number of all delays, is for each delay
// up to the delay that the number of restarts leads to.
const SECOND_RUN_OF_LOOP = 0.35;
const ANY_RUN_OF_LOOP = 0.2;
const NO_RECORD_OF_LOOP = 0.25;

function chanceOfSeveralLoops(run: PastRun, before: PriorEvidence, policy: CrashLoopPolicy): number {
  const { starts, bornAtMs, unobserved, wasInBackOff, restartAlls } = before;
  if (starts !== null || bornAtMs === null || wasInBackOff || restartAlls.count > 0 || run.start < 2) return 0;
  return chanceOfLongRuns(startOf(run) - bornAtMs, unobserved?.runMs ?? 0, run.start, policy);
}

/** Assumed weight of no back-off record, in a pod with restarts by RestartAllContainers. */
const ENTRY_GONE = 0.02;
/** Assumed weight of a delay that needs more starts than are counted, or more time than passed. */
const NO_RESET_HELPS = 1e-4;
/** Assumed probability that an unobserved run was long enough to reset the back-off. */
const LONG_RUN = 0.1;
/**
 * Assumed probability that a restart of the kubelet reset the back-off, if the node's events can lack the restart.
 */
const KUBELET_RESTART = 0.02;
/** Assumed probability that a restart of the kubelet reset the back-off, although the node's events show none. */
const KUBELET_RESTART_WITHOUT_EVENT = 0.002;
/** Assumed probability that a change of the pod's spec reset the back-off. */
const SPEC_CHANGED = 0.3;
function chanceOfUnseenReset(step: number, run: PastRun, before: PriorEvidence, policy: CrashLoopPolicy): number {
  const { unobserved, sinceCounted, areNodeEventsRead, specChanges } = before;
  if (unobserved === null) return specChanges > 0 ? SPEC_CHANGED : LONG_RUN;
  const { sinceMs, leftMs } = timeForReset(unobserved, run.start, step, policy);
  const spec = specChanges > 0 ? SPEC_CHANGED * fitOfChange(sinceCounted ?? unobserved, run, step, policy) : 0;
  if (leftMs >= policy.resetAfterMs - policy.maxMs) return Math.max(spec, LONG_RUN);
  if (leftMs < -policy.maxMs) return Math.max(spec, NO_RESET_HELPS);
  const isShown = areNodeEventsRead && sinceMs < EVENTS_SURELY_KEPT_MS;
  return Math.max(spec, isShown ? KUBELET_RESTART_WITHOUT_EVENT : KUBELET_RESTART);
}

/** Assumed uncertainty of the sum of waits and runs, because starts come late by different times. */
const LATENESS_SPREAD_MS = 4_000;

function fitOfChange(period: UnobservedPeriod, run: PastRun, step: number, policy: CrashLoopPolicy): number {
  const { spanMs } = period;
  const { leftMs, cutWaitMs } = timeForReset(period, run.start, step, policy);
  const marginMs = Math.min(leftMs, cutWaitMs - leftMs);
  const isWithin = 1 / (1 + Math.exp(-marginMs / LATENESS_SPREAD_MS));
  return isWithin * fitOfTime(spanMs, spanMs + Math.min(0, marginMs));
}

/** Each delay that seems out of reach gets this assumed weight, divided by the number of all delays. */
const OUT_OF_REACH = 0.01;
/**
 * Assumed weight of a back-off record that never expired. Then the number of restarts, without the restarts by
 * RestartAllContainers, shows the delay.
 */
const NEVER_GONE = 0.5;
/** Assumed total weight of all delays up to the greatest possible one, if the back-off record may have expired. */
const MAY_BE_GONE = 0.5;
/** Assumed total weight of all delays, in a pod that is too young for an expired back-off record. */
const NOT_YET = 0.1;

function amidRestartAlls(delaysMs: readonly number[], run: PastRun, before: PriorEvidence, policy: CrashLoopPolicy) {
  const { restartAlls, starts, bornAtMs } = before;
  const name = "restart-alls-leave-the-step-open";
  const top = delaysMs.length - 1;
  const isYoung = starts === null && bornAtMs !== null && startOf(run) - bornAtMs <= policy.resetAfterMs;
  const highest = isYoung
    ? top
    : Math.min(highestStep(delaysMs, run, restartAlls.averageIntervalMs), starts?.count ?? top);
  const expected = starts === null ? Math.min(run.start - restartAlls.count - 1, highest) : null;
  const killed = run.cause.killedBySync;
  const any = (isYoung ? NOT_YET : MAY_BE_GONE) / (highest + 1);
  return [
    { name, prior: any, likelihood: (step) => Number(step <= highest) },
    { name, prior: OUT_OF_REACH / delaysMs.length, likelihood: (step) => Number(step > highest) },
    { name, prior: NEVER_GONE * (1 - killed), likelihood: (step) => Number(step === expected) },
    { name, prior: NEVER_GONE * killed, likelihood: (step) => Number(step + 1 === expected) },
  ] satisfies Hypothesis[];
}

function highestStep(delaysMs: readonly number[], run: PastRun, intervalMs: number | null): number {
  // Assumed: a delay does not double if it is longer than the average time from an exit to the next restart by
  // RestartAllContainers.
  const cutShort = intervalMs === null ? -1 : delaysMs.findIndex((delayMs) => delayMs > intervalMs - runLengthMs(run));
  return cutShort === -1 ? delaysMs.length - 1 : cutShort;
}
