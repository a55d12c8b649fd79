import { type CrashLoopPolicy, RESTART_PERIOD_RANGE } from "../../kubelet/crash-loop-policy.ts";
import { entryAfterStart, type Wait } from "../../kubelet/do-backoff.ts";
import { floorToSecond, SECOND_MS } from "../../kubelet/go-duration.ts";
import { longestLatenessMs } from "../../kubelet/retry-rule.ts";
import { STEP_MS } from "../../kubelet/start-distribution.ts";
import type { PastRun } from "../history/container-history.ts";
import {
  type Belief,
  mergedBeliefs,
  normalise,
  possibleWaits,
  type Replayed,
  shareStillWaiting,
  startsAfterExit,
  startWithoutPull,
  totalOf,
  withoutEntry,
} from "./beliefs.ts";
import { type PriorEvidence, priorBeliefs } from "./prior-beliefs.ts";

/** After a gap in the observed runs, the evidence about the time before the oldest observed run does not apply. */
const NOTHING_KNOWN = { starts: null, unobserved: null, sinceCounted: null, areNodeEventsRead: false, bornAtMs: null };

/**
 * Returns the states of the back-off that are possible after the last start, weighed by how well they explain the known
 * times from an exit to the next start.
 */
export function replay(runs: readonly PastRun[], known: PriorEvidence, policy: CrashLoopPolicy): Replayed {
  const [first, ...rest] = runs;
  if (first === undefined) return { beliefs: [], fit: 1 };
  if (known.hasNoEntry && rest.length === 0) return withoutEntry("restart-all-leaves-no-entry");
  let { beliefs, fit } = priorBeliefs(first, evidenceAt(first, rest, known), policy);
  let from = first;
  for (const to of rest) {
    if (to.start > from.start + 1) {
      // Runs between `from` and `to` were not observed, so the start of `to` does not show the wait after `from`.
      beliefs = priorBeliefs(to, { ...evidenceAt(to, rest, known), ...NOTHING_KNOWN }, policy).beliefs;
    } else {
      const after = beliefs.flatMap((belief) => beliefsAfter(belief, from, to, known, policy));
      fit *= totalOf(after);
      beliefs = normalise(mergedBeliefs(after));
    }
    from = to;
  }
  return { beliefs, fit };
}

function evidenceAt({ start }: PastRun, runs: readonly PastRun[], known: PriorEvidence): PriorEvidence {
  const later = runs.filter((run) => run.start > start && run.startedWithAll === 1).length;
  const count = Math.min(start, Math.max(0, known.restartAlls.count - later));
  return { ...known, restartAlls: { ...known.restartAlls, count } };
}

/** Assumed factor for the likelihood of a policy that contradicts the kubelet's message. */
const DISAGREEMENT = 1e-9;

export function agreeingWith(delayMs: number, all: Replayed, run: PastRun, policy: CrashLoopPolicy): Replayed {
  const { beliefs, fit } = all;
  const agreeing = beliefs.filter((belief) =>
    possibleWaits([belief], run, policy).some(({ wait }) => wait.delayMs === delayMs),
  );
  const share = totalOf(agreeing);
  return share === 0 ? { beliefs, fit: fit * DISAGREEMENT } : { beliefs: normalise(agreeing), fit: fit * share };
}

/** Assumed weight of a reset without evidence, and of a start without a reset despite evidence of a reset. */
const AGAINST_EVIDENCE = 1e-3;
/** Assumed probability of a reset, or of RestartAllContainers, in a given second: once per 5m, evenly spread. */
const ANY_SECOND = SECOND_MS / RESTART_PERIOD_RANGE.mostMs;
/** A start that comes more than this time after the last possible sync has only the likelihood of a slow start. */
const SLOW_START_MS = 6_000;
/** Assumed likelihood of a slow start at the end of the wait. It falls exponentially with the start's lateness. */
const SLOW_START = 1e-3;
/** Assumed mean lateness of slow starts. */
const SLOW_START_FADES_MS = 60_000;
/** Assumed minimum likelihood of a time from an exit to a start, because times that no rule explains still happen. */
const LEAST_FIT = 1e-9;

function beliefsAfter(
  belief: Belief,
  from: PastRun,
  to: PastRun,
  known: PriorEvidence,
  policy: CrashLoopPolicy,
): Belief[] {
  const startedAtMs = startWithoutPull(to);
  const finishedAtMs = from.finishedAtMs ?? startedAtMs;
  const reset = to.resetBefore;
  const together = to.startedWithAll > 0 ? beliefsAfterRestartAll(belief, from, to, policy) : [];
  if (to.startedWithAll === 1)
    return reset === undefined ? together : together.map((after) => ({ ...after, entry: undefined }));
  const unseen = unseenResetPerSecond(known, startedAtMs);
  const longestMs = policy.maxMs + longestLatenessMs(policy.retry, policy.maxMs) + SLOW_START_FADES_MS;
  const unseenRule = startedAtMs - finishedAtMs > longestMs ? "gap-exceeds-all-delays" : unseen.rule;
  const common = { previousFinishedAtMs: finishedAtMs };
  const afterReset: Belief = {
    ...common,
    entry: { delayMs: policy.initialMs, lastUpdateMs: startedAtMs },
    share: belief.share * (reset === undefined ? unseen.perSecond : ANY_SECOND),
    rules: [reset?.kind ?? unseenRule],
  };
  const regular = possibleWaits([belief], from, policy).map(({ wait, belief: atExit, share }): Belief => {
    const fit = fitOfGap(wait, finishedAtMs, startedAtMs, policy) * (reset === undefined ? 1 : AGAINST_EVIDENCE);
    const entry = entryAfterStart(atExit.entry, wait, startedAtMs, policy);
    const rule = wait.isDropped ? "entry-dropped-during-the-wait" : "gap-tells-the-delay";
    return { ...common, entry, share: share * fit, rules: [...atExit.rules, rule] };
  });
  const suspected = together.map((after) => ({ ...after, share: after.share * to.startedWithAll * ANY_SECOND }));
  return [afterReset, ...regular, ...suspected];
}

function unseenResetPerSecond({ specChanges, bornAtMs }: PriorEvidence, startedAtMs: number) {
  const ageSeconds = Math.max(1, (startedAtMs - (bornAtMs ?? startedAtMs)) / 1_000);
  const changesPerSecond = specChanges / ageSeconds;
  const unseen = AGAINST_EVIDENCE * ANY_SECOND;
  return changesPerSecond > unseen
    ? { perSecond: changesPerSecond, rule: "spec-change-fits-the-gap" }
    : { perSecond: unseen, rule: "gap-fits-no-delay" };
}

function fitOfGap(wait: Wait, finishedAtMs: number, startedAtMs: number, policy: CrashLoopPolicy): number {
  // The API truncates both `finishedAt` and `startedAt` to seconds. So a start can seem to come before the end of its
  // wait only within the same second, if the delay is not in whole seconds, e.g. 12.5s.
  const lateMs = startedAtMs - floorToSecond(wait.readyAtMs);
  if (lateMs < 0) return LEAST_FIT;
  const { plannedAtMs } = wait;
  const latestMs = plannedAtMs + longestLatenessMs(policy.retry, plannedAtMs - finishedAtMs) + SLOW_START_MS;
  const slow = SLOW_START * Math.exp(-lateMs / SLOW_START_FADES_MS) + LEAST_FIT;
  if (startedAtMs > latestMs) return slow;
  const starts = startsAfterExit(wait, finishedAtMs, policy);
  // Allows for the truncation of `startedAt` in the API, and for the distribution's steps of half a second.
  return starts.by(startedAtMs + 4 * STEP_MS) - starts.by(startedAtMs - STEP_MS) + slow;
}

/** Added to the probability that a container is still down after its wait, because its node can be slow. */
const LEAST_STILL_DOWN = 1e-3;

/** Assumed: a start by RestartAllContainers leaves the back-off record as it is, because no exited instance is left. */
function beliefsAfterRestartAll(belief: Belief, from: PastRun, to: PastRun, policy: CrashLoopPolicy): Belief[] {
  const rule = to.startedWithAll === 1 ? "restart-all-skips-the-wait" : "suspected-restart-all";
  const kept = { previousFinishedAtMs: null, rules: [...belief.rules, rule] };
  const { finishedAtMs } = from;
  if (finishedAtMs === null) return [{ ...belief, ...kept }];
  const startedAtMs = startWithoutPull(to);
  return possibleWaits([belief], from, policy).map((possible) => ({
    ...kept,
    entry: possible.belief.entry,
    share: possible.share * (LEAST_STILL_DOWN + shareStillWaiting(possible.wait, finishedAtMs, startedAtMs, policy)),
  }));
}
