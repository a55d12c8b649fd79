import { delaysOf } from "../../backoff/curve.ts";
import type { CrashLoopPolicy } from "../../kubelet/policy.ts";
import { longestLatenessMs } from "../../kubelet/retry-rule.ts";
import type { PastRun } from "../history/container-history.ts";
import { fitOfSeries, fitOfStep, fitOfTime, type Lifetime, spreadOf, timeForReset } from "../history/lifetime.ts";
import type { StartsBefore } from "../history/resets.ts";
import type { RestartAlls } from "../history/restart-rules.ts";
import { startOf } from "../history/runs.ts";
import { type Belief, normalise } from "./beliefs.ts";

/** What is known of the restarts before the oldest seen run. */
export interface Before {
  /** Null if the oldest run is not known to come after a reset. */
  readonly starts: StartsBefore | null;
  readonly lifetime: Lifetime | null;
  /** The part of it since the latest start that an event dates. */
  readonly sinceCounted: Lifetime | null;
  /** So many of the restarts that restartCount counts took no step of the curve. */
  readonly restartAlls: RestartAlls;
  /** When the kubelet took the pod. */
  readonly bornAtMs: number | null;
  /** A BackOff event shows that the oldest seen run came out of a wait. */
  readonly wasInBackOff: boolean;
  /** How often the pod's spec changed without anything else that shows when: `metadata.generation` counts the changes. */
  readonly specChanges: number;
  /** The node's events can be read: a restart of its kubelet would be among them, if it was recent. */
  readonly areKubeletStartsSeen: boolean;
}

/** Where the curve may have stood at the oldest seen run. */
interface Prior {
  readonly beliefs: readonly Belief[];
  /** How well the policy explains the pod's age: a likelihood, to be compared with another policy's. */
  readonly fit: number;
}

/**
 * Every step of the curve for the oldest run that was seen, most of all the one that its restartCount suggests, or after a
 * reset the number of starts since; and how well the pod's age fits those restarts.
 */
export function priorBeliefs(run: PastRun, before: Before, policy: CrashLoopPolicy): Prior {
  const startedAtMs = startOf(run);
  const none: Belief = { entry: undefined, previousFinishedAtMs: null, weight: 1, rules: [] };
  const { count } = before.restartAlls;
  const starts = run.start - count;
  if (starts <= 0) {
    const rules = [run.start === 0 ? "first-run-has-no-entry" : "restart-all-leaves-no-entry"];
    return { beliefs: [{ ...none, rules }], fit: 1 };
  }
  const killed = run.cause.killedBySync;
  const levels = delaysOf(policy);
  const steps = levels.flatMap((delayMs, level): Belief[] => {
    const { weight, rule } =
      count > 0
        ? { weight: stepAmidRestartAlls(level, levels, run, before, policy), rule: "restart-alls-leave-the-step-open" }
        : stepAt(level, run, before, policy, levels.length);
    const entry = { delayMs, lastUpdateMs: startedAtMs };
    const rules = [rule];
    const fit = before.sinceCounted === null ? 1 : fitOfStep(before.sinceCounted, run.start, level, policy);
    const points = previousExits(levels, level, before.starts !== null, policy);
    return points.map((beforeMs) => {
      return { entry, previousFinishedAtMs: startedAtMs - beforeMs, weight: (weight * fit) / points.length, rules };
    });
  });
  const isFirstKill = before.starts === null && starts === 1;
  const gone = count > 0 ? ENTRY_GONE : 1e-4 + SPREAD_GONE * spreadOfRestarts(run, before, policy);
  const rules = ["earlier-reset"];
  const all = [...steps, { ...none, weight: isFirstKill ? killed : gone, previousFinishedAtMs: startedAtMs, rules }];
  const fit = before.lifetime === null ? 1 : all.reduce((sum, { weight }) => sum + weight, 0);
  return { beliefs: normalise(all), fit };
}

/**
 * How long before the start the exit before it may have been: no time, or the wait of the step before (at the cap, of the
 * cap itself), on time or as late as the retry rule allows; or any time, where a reset cut a longer wait short.
 */
function previousExits(
  levels: readonly number[],
  level: number,
  isAfterReset: boolean,
  policy: CrashLoopPolicy,
): number[] {
  if (level === 0 && isAfterReset) return [0, policy.resetAfterMs];
  const isCap = level === levels.length - 1;
  const waits = [levels[level - 1], isCap ? levels[level] : undefined].filter((waitMs) => waitMs !== undefined);
  return [0, ...waits.flatMap((waitMs) => [waitMs, waitMs + longestLatenessMs(policy.retry, waitMs)])];
}

/** A step of the curve is likely if the counts name it, rare if it takes a reset that nothing tells of. */
function stepAt(level: number, run: PastRun, before: Before, policy: CrashLoopPolicy, levels: number) {
  const top = levels - 1;
  const { starts, lifetime } = before;
  const killed = run.cause.killedBySync;
  const expected = Math.min(starts?.count ?? run.start - 1, top);
  const lagging = starts === null ? Math.min(run.start - 2, top) : expected;
  const counts = starts === null ? "restart-count-names-the-step" : "starts-since-the-reset";
  if (starts !== null && !starts.isExact && level > expected) return { weight: 0.5, rule: counts };
  const untold = level > expected ? NO_RESET_HELPS : chanceOfUntoldReset(level, run, before, policy) / levels;
  const named = (level === expected ? 1 - killed : 0) + (level === lagging ? killed : 0);
  const isTold = named === 0 || starts !== null || lifetime === null || killed > 0.01;
  const series = isTold ? 1 : fitOfSeries(lifetime, run.start, policy);
  const spreadShare = spreadOfRestarts(run, before, policy);
  const anySince = level > expected ? 0 : spreadShare * (SPREAD_ANY / levels + (level === 0 ? SPREAD_FIRST : 0));
  const weight = untold + named * series * (1 - spreadShare) + anySince;
  return { weight, rule: named * (1 - spreadShare) > LEAST_NAMED ? counts : "earlier-reset" };
}

/** Of restarts that are spread over the pod's life, those after the first of a few exits, and after the later ones. */
const SPREAD_FIRST = 0.35;
const SPREAD_ANY = 0.2;
/** And those whose kubelet was restarted, or counted from an older exit: there is no wait. */
const SPREAD_GONE = 0.25;

/** How likely the restarts before `run` are spread over the pod's life; 0 where the run is known to come out of a wait. */
function spreadOfRestarts(run: PastRun, before: Before, policy: CrashLoopPolicy): number {
  const { starts, bornAtMs, lifetime, wasInBackOff, restartAlls } = before;
  if (starts !== null || bornAtMs === null || wasInBackOff || restartAlls.count > 0 || run.start < 2) return 0;
  return spreadOf({ spanMs: startOf(run) - bornAtMs, runMs: lifetime?.runMs ?? 0 }, run.start, policy);
}

/** Restarts of all containers leave an entry alone until it goes: for this share of the time there is none. */
const ENTRY_GONE = 0.02;
/** A step that the counts name only if a kill that nothing tells of came before is not said to be theirs. */
const LEAST_NAMED = 0.1;

/** The restartCount is a lower bound: records can be lost, and the counting begin anew. */
const NO_RESET_HELPS = 1e-4;
/** A run of ten minutes in a loop of shorter ones. */
const LONG_RUN = 0.1;
/** A kubelet that was restarted: rarer, but possible at any time. */
const FORCED = 0.02;
/** The same although the node's events tell of none. */
const FORCED_UNSEEN = 0.002;
/** A spec that changed at an unknown time: most changes are of the image or the resources, which give a new entry. */
const SPEC_CHANGED = 0.3;
/** An hour is how long an API server keeps events by default (kube-apiserver --event-ttl), less what came after. */
const SEEN_WITHIN_MS = 45 * 60_000;

/** How likely a reset is that nothing tells of: most of all where the pod's age leaves time for a run that was long enough. */
function chanceOfUntoldReset(level: number, run: PastRun, before: Before, policy: CrashLoopPolicy): number {
  const { lifetime, sinceCounted, areKubeletStartsSeen, specChanges } = before;
  if (lifetime === null) return specChanges > 0 ? SPEC_CHANGED : LONG_RUN;
  const { sinceMs, leftMs } = timeForReset(lifetime, run.start, level, policy);
  const recent = sinceCounted ?? lifetime;
  const change = timeForReset(recent, run.start, level, policy);
  const spec = specChanges > 0 ? SPEC_CHANGED * fitOfChange(recent, change.leftMs, change.cutWaitMs) : 0;
  return Math.max(spec, untoldOtherReset(sinceMs, leftMs, areKubeletStartsSeen, policy));
}

/** How well the time that is left fits the part of a wait that a change of the spec cut short: 1 is perfect. */
function fitOfChange({ spanMs }: Lifetime, leftMs: number, cutWaitMs: number): number {
  const marginMs = Math.min(leftMs, cutWaitMs - leftMs);
  const isWithin = 1 / (1 + Math.exp(-marginMs / LATENESS_SPREAD_MS));
  return isWithin * fitOfTime(spanMs, spanMs + Math.min(0, marginMs));
}

/** The waits around the change end up to 15 s late: that is how unsure the time is that is left. */
const LATENESS_SPREAD_MS = 4_000;

/** A long run, or a restart of the kubelet. */
function untoldOtherReset(
  sinceMs: number,
  leftMs: number,
  areKubeletStartsSeen: boolean,
  policy: CrashLoopPolicy,
): number {
  if (leftMs >= policy.resetAfterMs - policy.maxMs) return LONG_RUN;
  if (leftMs < -policy.maxMs) return NO_RESET_HELPS;
  return areKubeletStartsSeen && sinceMs < SEEN_WITHIN_MS ? FORCED_UNSEEN : FORCED;
}

/** A step that only a longer wait than usual leads to. */
const OUT_OF_REACH = 0.01;
/** The counts name the step only if the entry has never gone since. */
const NEVER_GONE = 0.5;
/** The same where the pod is too young for that. */
const NOT_YET = 0.1;

/**
 * How likely a step of the curve is at `run` in a pod that restarts all its containers: they cut long waits short, which
 * then take no step, and an entry that is left alone for 600 s goes. So neither the counts nor the age name the step, but
 * a delay that is longer than the pace leaves time for is not doubled.
 */
function stepAmidRestartAlls(
  level: number,
  levels: readonly number[],
  run: PastRun,
  { restartAlls, starts, bornAtMs }: Before,
  { resetAfterMs }: CrashLoopPolicy,
): number {
  const top = levels.length - 1;
  const counted = Math.min(run.start - restartAlls.count - 1, top);
  const isYoung = starts === null && bornAtMs !== null && startOf(run) - bornAtMs <= resetAfterMs;
  const highest = isYoung ? top : Math.min(highestStep(levels, run, restartAlls.paceMs), starts?.count ?? top);
  const expected = starts === null ? Math.min(counted, highest) : null;
  const untold = (isYoung ? NOT_YET : NEVER_GONE) / (highest + 1);
  const killed = run.cause.killedBySync;
  const named = level === expected ? 1 - killed : level + 1 === expected ? killed : 0;
  return level > highest ? OUT_OF_REACH / levels.length : untold + named * NEVER_GONE;
}

/** The first step whose wait is usually cut short. */
function highestStep(levels: readonly number[], run: PastRun, paceMs: number | null): number {
  const ranMs = run.finishedAtMs === null ? 0 : run.finishedAtMs - startOf(run);
  const cutShort = paceMs === null ? -1 : levels.findIndex((delayMs) => delayMs > paceMs - ranMs);
  return cutShort === -1 ? levels.length - 1 : cutShort;
}
