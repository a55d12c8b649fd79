import { delaysOf } from "../../backoff/curve.ts";
import type { CrashLoopPolicy } from "../../kubelet/policy.ts";
import { longestLatenessMs } from "../../kubelet/retry-rule.ts";
import type { PastRun } from "../history/container-history.ts";
import { fitOfSeries, fitOfStep, fitOfTime, type Lifetime, spreadOf, timeForReset } from "../history/lifetime.ts";
import type { StartsBefore } from "../history/resets.ts";
import type { RestartAlls } from "../history/restart-rules.ts";
import { runLengthMs, startOf } from "../history/runs.ts";
import { type Belief, normalise, type Replayed, totalOf } from "./beliefs.ts";

/** What is known of the restarts before the oldest seen run. */
export interface Before {
  /** Null if no reset is known to come before the oldest seen run. */
  readonly starts: StartsBefore | null;
  readonly lifetime: Lifetime | null;
  /** The part of the lifetime since the latest start that an event dates. */
  readonly sinceCounted: Lifetime | null;
  /** The restarts by RestartAllContainers: restartCount counts them, but they took no step of the curve. */
  readonly restartAlls: RestartAlls;
  /** When the kubelet took the pod. */
  readonly bornAtMs: number | null;
  /** A BackOff event shows that a wait came before the oldest seen run. */
  readonly wasInBackOff: boolean;
  /** How often the pod's spec changed at an unknown time: `metadata.generation` counts the changes. */
  readonly specChanges: number;
  /** The node's events can be read: they show a recent restart of its kubelet. */
  readonly areKubeletStartsSeen: boolean;
  /** RestartAllContainers started the latest run, and no event shows a back-off before. */
  readonly hasNoEntry: boolean;
}

/**
 * Every step of the curve that the oldest seen run can have started at, weighed by its restartCount or, after a reset, by the
 * number of starts since. `fit` is how well the pod's age fits those restarts.
 */
export function priorBeliefs(run: PastRun, before: Before, policy: CrashLoopPolicy): Replayed {
  const startedAtMs = startOf(run);
  const { count } = before.restartAlls;
  const starts = run.start - count;
  if (starts <= 0) {
    const rules = [run.start === 0 ? "first-run-has-no-entry" : "restart-all-leaves-no-entry"];
    return { beliefs: [{ entry: undefined, previousFinishedAtMs: null, weight: 1, rules }], fit: 1 };
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
      weight: (weight * fit) / exits.length,
      rules: [rule],
    }));
  });
  const isFirstKill = before.starts === null && starts === 1;
  const gone = count > 0 ? ENTRY_GONE : 1e-4 + SPREAD_GONE * spreadOfRestarts(run, before, policy);
  const weight = isFirstKill ? run.cause.killedBySync : gone;
  const none = { entry: undefined, previousFinishedAtMs: startedAtMs, weight, rules: ["earlier-reset"] };
  const all = [...steps, none];
  return { beliefs: normalise(all), fit: before.lifetime === null ? 1 : totalOf(all) };
}

/**
 * How long before the start the exit before may have been: no time, or the wait of the step before (at the cap also the cap
 * itself), on time or as late as the retry rule allows; or any time, if a reset cut a longer wait short.
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

/** A step of the curve is likely if the counts name it, and rare if only a reset that nothing shows leads to it. */
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

/**
 * Crash loops that are spread over the pod's life, each begun by a reset: the chances that the run follows the first exit of
 * its crash loop, any exit of it, or a restart without a wait (after a restart of the kubelet, or counted from an older exit).
 */
const SPREAD_FIRST = 0.35;
const SPREAD_ANY = 0.2;
const SPREAD_GONE = 0.25;

/** How likely the restarts before `run` are spread over the pod's life; 0 if an event shows a wait before the run. */
function spreadOfRestarts(run: PastRun, before: Before, policy: CrashLoopPolicy): number {
  const { starts, bornAtMs, lifetime, wasInBackOff, restartAlls } = before;
  if (starts !== null || bornAtMs === null || wasInBackOff || restartAlls.count > 0 || run.start < 2) return 0;
  return spreadOf(startOf(run) - bornAtMs, lifetime?.runMs ?? 0, run.start, policy);
}

/** The chance that a container has no entry in a pod with RestartAllContainers, which changes no entry before it expires. */
const ENTRY_GONE = 0.02;
/** With a smaller weight, the evidence does not name the counts as the reason for the step. */
const LEAST_NAMED = 0.1;

/** The chance of a step that no reset explains: the restartCount can be too low, because the API can lose records. */
const NO_RESET_HELPS = 1e-4;
/** The chance of a run of ten minutes, which resets the back-off, in a loop of shorter runs. */
const LONG_RUN = 0.1;
/** The chance that a restart of the kubelet reset the back-off; and if the node's events show no restart. */
const FORCED = 0.02;
const FORCED_UNSEEN = 0.002;
/** The chance that a change of the spec reset the back-off: most changes are of the image or the resources, and these do. */
const SPEC_CHANGED = 0.3;
/** An API server keeps events for an hour by default (kube-apiserver --event-ttl), less the time since. */
const SEEN_WITHIN_MS = 45 * 60_000;

/** The chance of a reset that no event shows. The chance is highest if the pod's age leaves time for a run of ten minutes. */
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

/** The waits around a change of the spec end up to 15 s late, which makes the remaining time uncertain. */
const LATENESS_SPREAD_MS = 4_000;

/** How well the remaining time fits a wait that a change of the spec cut short; 1 is a perfect fit. */
function fitOfChange({ spanMs }: Lifetime, leftMs: number, cutWaitMs: number): number {
  const marginMs = Math.min(leftMs, cutWaitMs - leftMs);
  const isWithin = 1 / (1 + Math.exp(-marginMs / LATENESS_SPREAD_MS));
  return isWithin * fitOfTime(spanMs, spanMs + Math.min(0, marginMs));
}

/** The chance of a step that needs longer waits than usual. */
const OUT_OF_REACH = 0.01;
/** The chance that the entry never expired, so that the counts name the step; and that it expired in a pod too young for that. */
const NEVER_GONE = 0.5;
const NOT_YET = 0.1;

/**
 * How likely a step of the curve is in a pod with RestartAllContainers. Such a restart cuts long waits short, which then take
 * no step, and an entry without a step for 600 s expires. So neither the counts nor the age name the step, but the kubelet
 * does not double a delay that is longer than the time between two of these restarts.
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

/** The first step whose wait is usually cut short. */
function highestStep(levels: readonly number[], run: PastRun, paceMs: number | null): number {
  const cutShort = paceMs === null ? -1 : levels.findIndex((delayMs) => delayMs > paceMs - runLengthMs(run));
  return cutShort === -1 ? levels.length - 1 : cutShort;
}
