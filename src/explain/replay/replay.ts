import { entryAfterStart, type Wait } from "../../kubelet/do-backoff.ts";
import type { CrashLoopPolicy } from "../../kubelet/policy.ts";
import { shareStartingAt } from "../../kubelet/restart-window.ts";
import { longestLatenessMs } from "../../kubelet/retry-rule.ts";
import type { PastRun } from "../history/container-history.ts";
import { startOf } from "../history/runs.ts";
import {
  type Belief,
  mergedBeliefs,
  normalise,
  possibleWaits,
  type Replayed,
  shareStillWaiting,
  totalOf,
  viewAfterExit,
} from "./beliefs.ts";
import { type Before, priorBeliefs } from "./prior-beliefs.ts";

const NOTHING_KNOWN = { starts: null, lifetime: null, sinceCounted: null, areKubeletStartsSeen: false, bornAtMs: null };

/**
 * Replays the seen runs up to the latest start through the kubelet's rules, once for each state that the kubelet's memory can
 * have been in. Weighs the states by how well they explain the observed gaps.
 */
export function replay(runs: readonly PastRun[], known: Before, policy: CrashLoopPolicy): Replayed {
  const [first, ...rest] = runs;
  if (first === undefined) return { beliefs: [], fit: 1 };
  if (known.hasNoEntry && rest.length === 0) {
    const rules = ["restart-all-leaves-no-entry"];
    return { beliefs: [{ entry: undefined, previousFinishedAtMs: null, weight: 1, rules }], fit: 1 };
  }
  let { beliefs, fit } = priorBeliefs(first, beforeRun(first, rest, known), policy);
  let from = first;
  for (const to of rest) {
    if (to.start > from.start + 1) {
      // Runs in between were not seen: begin again rather than count one long gap.
      beliefs = priorBeliefs(to, { ...beforeRun(to, rest, known), ...NOTHING_KNOWN }, policy).beliefs;
    } else {
      const after = beliefs.flatMap((belief) => beliefsAfter(belief, from, to, known, policy));
      fit *= totalOf(after);
      beliefs = normalise(mergedBeliefs(after));
    }
    from = to;
  }
  return { beliefs, fit };
}

/** `known` without the restarts of all containers that came after `run`. */
function beforeRun({ start }: PastRun, runs: readonly PastRun[], known: Before): Before {
  const later = runs.filter((run) => run.start > start && run.startedWithAll === 1).length;
  const count = Math.min(start, Math.max(0, known.restartAlls.count - later));
  return { ...known, restartAlls: { ...known.restartAlls, count } };
}

/** The likelihood of a policy under which the kubelet cannot have written its own message. */
const DISAGREEMENT = 1e-9;

/** The beliefs under which the wait after `run` has the delay that the kubelet's message names; all if none does. */
export function agreeingWith(delayMs: number, all: Replayed, run: PastRun, policy: CrashLoopPolicy): Replayed {
  const { beliefs, fit } = all;
  const agreeing = beliefs.filter((belief) =>
    possibleWaits([belief], run, policy).some(({ wait }) => wait.delayMs === delayMs),
  );
  const share = totalOf(agreeing);
  return share === 0 ? { beliefs, fit: fit * DISAGREEMENT } : { beliefs: normalise(agreeing), fit: fit * share };
}

/** The weight of a reset without evidence, relative to a reset that follows the rules. */
const UNSEEN_RESET = 1e-3;
/** A reset can make the kubelet start at any second of a wait. */
const ANY_SECOND = 1 / 300;
/** A start that comes more than this after the last sync counts as slow. */
const SLOW_START_MS = 6_000;
/** Two truncated instants and the start's own time. */
const EARLY_SLACK_MS = 1_600;
/** The probability of a slow start, and the time in which it falls by the factor e. */
const SLOW_START = 1e-3;
const SLOW_START_FADES_MS = 60_000;
/** The smallest likelihood of a gap, because a gap that no rule explains may still have happened. */
const LEAST_FIT = 1e-9;

/** The beliefs after the start of `to`: one for each way to explain the gap since the exit of `from`. */
function beliefsAfter(belief: Belief, from: PastRun, to: PastRun, known: Before, policy: CrashLoopPolicy): Belief[] {
  const startedAtMs = startOf(to);
  const finishedAtMs = from.finishedAtMs ?? startedAtMs;
  const reset = to.resetBefore;
  const together = to.startedWithAll > 0 ? beliefsAfterRestartAll(belief, from, to, policy) : [];
  if (to.startedWithAll === 1)
    return reset === undefined ? together : together.map((found) => ({ ...found, entry: undefined }));
  const unseen = unseenResetPerSecond(known, startedAtMs);
  const longestMs = policy.maxMs + longestLatenessMs(policy.retry, policy.maxMs) + SLOW_START_FADES_MS;
  const unseenRule = startedAtMs - finishedAtMs > longestMs ? "gap-exceeds-all-delays" : unseen.rule;
  const common = { previousFinishedAtMs: finishedAtMs, before: belief };
  const afterReset: Belief = {
    ...common,
    entry: { delayMs: policy.initialMs, lastUpdateMs: startedAtMs },
    weight: belief.weight * (reset === undefined ? unseen.perSecond : ANY_SECOND),
    rules: [reset?.kind ?? unseenRule],
  };
  const regular = possibleWaits([belief], from, policy).map(({ wait, belief: held, weight }): Belief => {
    const fit = fitOfGap(wait, finishedAtMs, startedAtMs, policy) * (reset === undefined ? 1 : UNSEEN_RESET);
    const entry = entryAfterStart(held.entry, wait, startedAtMs, policy);
    const rule = wait.droppedAtMs === null ? "gap-tells-the-delay" : "entry-dropped-during-the-wait";
    return { ...common, entry, weight: weight * fit, rules: [...held.rules, rule] };
  });
  const suspected = together.map((found) => ({ ...found, weight: found.weight * to.startedWithAll * ANY_SECOND }));
  return [afterReset, ...regular, ...suspected];
}

/** The probability that a reset without evidence, such as a change of the spec, ended the wait in a given second. */
function unseenResetPerSecond({ specChanges, bornAtMs }: Before, startedAtMs: number) {
  const ageSeconds = Math.max(1, (startedAtMs - (bornAtMs ?? startedAtMs)) / 1_000);
  const changesPerSecond = specChanges / ageSeconds;
  const unseen = UNSEEN_RESET * ANY_SECOND;
  return changesPerSecond > unseen
    ? { perSecond: changesPerSecond, rule: "spec-change-fits-the-gap" }
    : { perSecond: unseen, rule: "gap-fits-no-delay" };
}

/** How well the wait explains a start at `startedAtMs`, by the retry rule's distribution. Never 0: a node can be slow. */
function fitOfGap(wait: Wait, finishedAtMs: number, startedAtMs: number, policy: CrashLoopPolicy): number {
  const lateMs = startedAtMs - wait.readyAtMs;
  if (lateMs < -EARLY_SLACK_MS) return LEAST_FIT;
  const { plannedAtMs } = wait;
  const latestMs = plannedAtMs + longestLatenessMs(policy.retry, plannedAtMs - finishedAtMs) + SLOW_START_MS;
  const slow = SLOW_START * Math.exp(-lateMs / SLOW_START_FADES_MS) + LEAST_FIT;
  if (startedAtMs > latestMs) return slow;
  return shareStartingAt(viewAfterExit(wait, finishedAtMs), policy.retry, startedAtMs) + slow;
}

/** The likelihood of a wait that should be over by the rules; it may go on, because a node can be slow. */
const LEAST_STILL_DOWN = 1e-3;

/**
 * The beliefs if RestartAllContainers came between `from` and `to`: the entry stays as it is, because no exited instance is
 * left that the start could count from. A wait that was not over by then rules out delays that are too short.
 */
function beliefsAfterRestartAll(belief: Belief, from: PastRun, to: PastRun, policy: CrashLoopPolicy): Belief[] {
  const rule = to.startedWithAll === 1 ? "restart-all-skips-the-wait" : "suspected-restart-all";
  const kept = { previousFinishedAtMs: null, rules: [...belief.rules, rule], before: belief };
  const { finishedAtMs } = from;
  if (finishedAtMs === null) return [{ ...belief, ...kept }];
  return possibleWaits([belief], from, policy).map((possible) => ({
    ...kept,
    entry: possible.belief.entry,
    weight: possible.weight * (LEAST_STILL_DOWN + shareStillWaiting(possible.wait, finishedAtMs, startOf(to), policy)),
  }));
}
