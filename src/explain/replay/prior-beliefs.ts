import { delaysOf } from "../../backoff/curve.ts";
import type { CrashLoopPolicy } from "../../kubelet/policy.ts";
import { longestLatenessMs } from "../../kubelet/retry-rule.ts";
import type { PastRun } from "../history/container-history.ts";
import { fitOfSeries, fitOfStep, fitOfTime, type Lifetime, spreadOf, timeForReset } from "../history/lifetime.ts";
import type { StartsBefore } from "../history/resets.ts";
import type { RestartAlls } from "../history/restart-rules.ts";
import { runLengthMs, startOf } from "../history/runs.ts";
import { type Belief, normalise, type Replayed, totalOf } from "./beliefs.ts";

/** The known facts about the restarts before the oldest observed run. */
export interface Before {
  /** The starts since the latest reset before that run; null if no such reset is known. */
  readonly starts: StartsBefore | null;
  readonly lifetime: Lifetime | null;
  /** The part of the lifetime since the latest start that an event dates; null if no event does. */
  readonly sinceCounted: Lifetime | null;
  /** The restarts by RestartAllContainers: restartCount counts them, but they took no step of the curve. */
  readonly restartAlls: RestartAlls;
  /** When the kubelet accepted the pod. */
  readonly bornAtMs: number | null;
  /** A BackOff event shows that the container waited before that run. */
  readonly wasInBackOff: boolean;
  /** The number of changes of the pod's spec at unknown times, from `metadata.generation`. */
  readonly specChanges: number;
  /** The node's events can be read: they show a recent restart of its kubelet. */
  readonly areKubeletStartsSeen: boolean;
  /** RestartAllContainers started the latest run, and no event shows a back-off before. */
  readonly hasNoEntry: boolean;
}

/**
 * The beliefs about the start of the oldest observed run: one for each step of the curve and each possible previous exit,
 * weighed by restartCount or, after a reset, by the number of starts since. `fit` says how well the pod's age fits them.
 */
export function priorBeliefs(run: PastRun, before: Before, policy: CrashLoopPolicy): Replayed {
  const startedAtMs = startOf(run);
  const { count } = before.restartAlls;
  const starts = run.start - count;
  if (starts <= 0) {
    const rules = [run.start === 0 ? "first-run-has-no-entry" : "restart-all-leaves-no-entry"];
    return { beliefs: [{ entry: undefined, previousFinishedAtMs: null, share: 1, rules }], fit: 1 };
  }
  const levels = delaysOf(policy);
  const stepAt = count > 0 ? stepAmidRestartAlls : stepByCounts;
  const steps = levels.flatMap((delayMs, level): Belief[] => {
    const { weight, rule } = stepAt(level, levels, run, before, policy);
    const fit = before.sinceCounted === null ? 1 : fitOfStep(before.sinceCounted, run.start, level, policy);
    const exits = previousExits(levels, level, before.starts !== null, policy);
    return exits.map((beforeMs) => ({
      entry: { delayMs, lastUpdateMs: startedAtMs },
      previousFinishedAtMs: startedAtMs - beforeMs,
      share: (weight * fit) / exits.length,
      rules: [rule],
    }));
  });
  const isFirstKill = before.starts === null && starts === 1;
  const gone = count > 0 ? ENTRY_GONE : 1e-4 + SPREAD_GONE * spreadOfRestarts(run, before, policy);
  const share = isFirstKill ? run.cause.killedBySync : gone;
  const none = { entry: undefined, previousFinishedAtMs: startedAtMs, share, rules: ["earlier-reset"] };
  const all = [...steps, none];
  return { beliefs: normalise(all), fit: before.lifetime === null ? 1 : totalOf(all) };
}

/**
 * The possible times, in milliseconds, from the previous exit to the start with step `level`: none, or the wait of the step
 * below (at the maximum also the maximum), on time or as late as the retry rule allows. At the first step after a reset: none,
 * or the longest time that an entry counts.
 */
function previousExits(levels: number[], level: number, isAfterReset: boolean, policy: CrashLoopPolicy): number[] {
  if (level === 0 && isAfterReset) return [0, policy.resetAfterMs];
  const waits = levels.slice(Math.max(0, level - 1), level === levels.length - 1 ? level + 1 : level);
  return [0, ...waits.flatMap((waitMs) => [waitMs, waitMs + longestLatenessMs(policy.retry, waitMs)])];
}

type StepWeight = (
  level: number,
  levels: readonly number[],
  run: PastRun,
  before: Before,
  policy: CrashLoopPolicy,
) => { readonly weight: number; readonly rule: string };

/** A step of the curve is likely if restartCount or events name it, and unlikely if it needs a reset that no event shows. */
const stepByCounts: StepWeight = (level, levels, run, before, policy) => {
  const top = levels.length - 1;
  const { starts, lifetime } = before;
  const killed = run.cause.killedBySync;
  const expected = Math.min(starts?.count ?? run.start - 1, top);
  const lagging = starts === null ? Math.min(run.start - 2, top) : expected;
  const rule = starts === null ? "restart-count-names-the-step" : "starts-since-the-reset";
  if (starts !== null && !starts.isExact && level > expected) return { weight: 0.5, rule };
  const unseen = level > expected ? NO_RESET_HELPS : chanceOfUnseenReset(level, run, before, policy) / levels.length;
  const named = (level === expected ? 1 - killed : 0) + (level === lagging ? killed : 0);
  const isSure = named === 0 || starts !== null || lifetime === null || killed > 0.01;
  const series = isSure ? 1 : fitOfSeries(lifetime, run.start, policy);
  const spread = spreadOfRestarts(run, before, policy);
  const anySince = level > expected ? 0 : spread * (SPREAD_ANY / levels.length + (level === 0 ? SPREAD_FIRST : 0));
  const weight = unseen + named * series * (1 - spread) + anySince;
  return { weight, rule: named * (1 - spread) > LEAST_NAMED ? rule : "earlier-reset" };
};

/** If the restarts are spread over the pod's life in several crash loops: the probability that the run is the second of a loop. */
const SPREAD_FIRST = 0.35;
/** If they are spread: the probability that the run is any of its loop. */
const SPREAD_ANY = 0.2;
/** If they are spread: the probability that there is no entry (the kubelet restarted, or counted from an older exit). */
const SPREAD_GONE = 0.25;

/** The probability that the restarts before `run` are spread over the pod's life; 0 if an event shows a wait before the run. */
function spreadOfRestarts(run: PastRun, before: Before, policy: CrashLoopPolicy): number {
  const { starts, bornAtMs, lifetime, wasInBackOff, restartAlls } = before;
  if (starts !== null || bornAtMs === null || wasInBackOff || restartAlls.count > 0 || run.start < 2) return 0;
  return spreadOf(startOf(run) - bornAtMs, lifetime?.runMs ?? 0, run.start, policy);
}

/** The probability that there is no entry in a pod with RestartAllContainers, which leaves an entry alone until it expires. */
const ENTRY_GONE = 0.02;
/** With a smaller weight, the evidence does not name the counts as the reason for the step. */
const LEAST_NAMED = 0.1;

/** The probability of a step that no reset explains, because restartCount is too low: the API can lose records. */
const NO_RESET_HELPS = 1e-4;
/** The probability of a run of ten minutes, which resets the back-off, in a loop of shorter runs. */
const LONG_RUN = 0.1;
/** The probability that a restart of the kubelet reset the back-off. */
const FORCED = 0.02;
/** The probability that a restart of the kubelet reset the back-off if the node's events can be read and show no restart. */
const FORCED_UNSEEN = 0.002;
/** The probability that a change of the spec reset the back-off: most changes are of the image or the resources, which do. */
const SPEC_CHANGED = 0.3;
/** An API server keeps events for an hour by default (kube-apiserver --event-ttl), less the time since. */
const SEEN_WITHIN_MS = 45 * 60_000;

/** The probability of a reset that no event shows; the highest if the pod's age leaves time for a run of ten minutes. */
function chanceOfUnseenReset(level: number, run: PastRun, before: Before, policy: CrashLoopPolicy): number {
  const { lifetime, sinceCounted, areKubeletStartsSeen, specChanges } = before;
  if (lifetime === null) return specChanges > 0 ? SPEC_CHANGED : LONG_RUN;
  const { sinceMs, leftMs } = timeForReset(lifetime, run.start, level, policy);
  const recent = sinceCounted ?? lifetime;
  const change = timeForReset(recent, run.start, level, policy);
  const spec = specChanges > 0 ? SPEC_CHANGED * fitOfChange(recent, change.leftMs, change.cutWaitMs) : 0;
  if (leftMs >= policy.resetAfterMs - policy.maxMs) return Math.max(spec, LONG_RUN);
  if (leftMs < -policy.maxMs) return Math.max(spec, NO_RESET_HELPS);
  return Math.max(spec, areKubeletStartsSeen && sinceMs < SEEN_WITHIN_MS ? FORCED_UNSEEN : FORCED);
}

/** The remaining time is uncertain by some seconds, because waits end up to 15 s late. */
const LATENESS_SPREAD_MS = 4_000;

/** How well the remaining time fits a change of the spec that cut a wait of `cutWaitMs` short: 1 is perfect. */
function fitOfChange({ spanMs }: Lifetime, leftMs: number, cutWaitMs: number): number {
  const marginMs = Math.min(leftMs, cutWaitMs - leftMs);
  const isWithin = 1 / (1 + Math.exp(-marginMs / LATENESS_SPREAD_MS));
  return isWithin * fitOfTime(spanMs, spanMs + Math.min(0, marginMs));
}

/** The probability of any step above the highest that RestartAllContainers usually leaves time for. */
const OUT_OF_REACH = 0.01;
/** The probability that the entry never expired, so that restartCount names the step. */
const NEVER_GONE = 0.5;
/** The probability that another step is in force in a pod too young for an entry to have expired. */
const NOT_YET = 0.1;

/**
 * How likely a step of the curve is in a pod with RestartAllContainers. Such a restart ends a wait without a step of the curve,
 * and an entry that is not updated for 600 s expires, so restartCount and the pod's age say little about the step. But a delay
 * longer than the time from one such restart to the next never ends by itself, so the kubelet does not double it.
 */
const stepAmidRestartAlls: StepWeight = (level, levels, run, { restartAlls, starts, bornAtMs }, { resetAfterMs }) => {
  const rule = "restart-alls-leave-the-step-open";
  const top = levels.length - 1;
  const isYoung = starts === null && bornAtMs !== null && startOf(run) - bornAtMs <= resetAfterMs;
  const highest = isYoung ? top : Math.min(highestStep(levels, run, restartAlls.paceMs), starts?.count ?? top);
  if (level > highest) return { weight: OUT_OF_REACH / levels.length, rule };
  const expected = starts === null ? Math.min(run.start - restartAlls.count - 1, highest) : null;
  const killed = run.cause.killedBySync;
  const named = level === expected ? 1 - killed : level + 1 === expected ? killed : 0;
  return { weight: (isYoung ? NOT_YET : NEVER_GONE) / (highest + 1) + named * NEVER_GONE, rule };
};

/** The first step whose wait RestartAllContainers usually cuts short, else the last step. */
function highestStep(levels: readonly number[], run: PastRun, paceMs: number | null): number {
  const cutShort = paceMs === null ? -1 : levels.findIndex((delayMs) => delayMs > paceMs - runLengthMs(run));
  return cutShort === -1 ? levels.length - 1 : cutShort;
}
