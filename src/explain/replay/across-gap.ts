import { entryAfterStart, type Wait } from "../../kubelet/do-backoff.ts";
import { syncAtExit } from "../../kubelet/known-syncs.ts";
import type { CrashLoopPolicy } from "../../kubelet/policy.ts";
import { shareStartingAt, shareStillDown } from "../../kubelet/restart-window.ts";
import { longestLatenessMs } from "../../kubelet/retry-rule.ts";
import { type ForcedReset, isBeforeStart, isDuring } from "../history/resets.ts";
import { startOf } from "../history/runs.ts";
import { type Belief, type PossibleWait, possibleWaits, type ReplayedRun } from "./beliefs.ts";
import type { Before } from "./prior-beliefs.ts";

/** How much rarer a reset is that nothing tells of than one that follows the rules. */
const UNSEEN_RESET = 1e-3;
/** A reset can make the kubelet start at any second of a wait. */
const ANY_SECOND = 1 / 300;
/** Past the last sync by this much a start is slow for reasons of its own. */
const SLOW_START_MS = 6_000;
/** Two truncated instants and the start's own time. */
const EARLY_SLACK_MS = 1_600;
/** How rare slow starts are, and how much later the next rarer ones are. */
const SLOW_START = 1e-3;
const SLOW_START_FADES_MS = 60_000;
/** What no rule explains may still have happened. */
const LEAST_FIT = 1e-9;

/** What a belief becomes with the start of `to` after the exit of `from`: one for each way in which the gap can be explained. */
export function beliefsAfter(
  belief: Belief,
  from: ReplayedRun,
  to: ReplayedRun,
  resets: readonly ForcedReset[],
  known: Pick<Before, "specChanges" | "bornAtMs">,
  policy: CrashLoopPolicy,
): Belief[] {
  const startedAtMs = startOf(to);
  const finishedAtMs = from.finishedAtMs ?? startedAtMs;
  const told = resets.find((reset) => isBeforeStart(reset, from, to) && !isDuring(reset, from));
  const together = to.startedWithAll > 0 ? beliefsAfterRestartAll(belief, from, to, resets, policy) : [];
  if (to.startedWithAll === 1)
    return told === undefined ? together : together.map((found) => ({ ...found, entry: undefined }));
  const untold = told === undefined ? untoldReset(known, startedAtMs) : null;
  const longestMs = policy.maxMs + longestLatenessMs(policy.retry, policy.maxMs) + SLOW_START_FADES_MS;
  const untoldRule = startedAtMs - finishedAtMs > longestMs ? "gap-exceeds-all-delays" : untold?.rule;
  const anew: Belief = {
    entry: { delayMs: policy.initialMs, lastUpdateMs: startedAtMs },
    previousFinishedAtMs: finishedAtMs,
    weight: belief.weight * (untold?.perSecond ?? ANY_SECOND),
    rules: [told?.kind ?? untoldRule ?? "gap-fits-no-delay"],
  };
  const regular = possibleWaits([belief], from, resets, policy).map(({ wait, belief: held, weight }): Belief => {
    const fit = fitOfGap(wait, finishedAtMs, startedAtMs, policy) * (told === undefined ? 1 : UNSEEN_RESET);
    const entry = entryAfterStart(held.entry, wait, startedAtMs, policy);
    const rule = wait.droppedAtMs === null ? "gap-tells-the-delay" : "entry-dropped-during-the-wait";
    return { entry, previousFinishedAtMs: finishedAtMs, weight: weight * fit, rules: [...held.rules, rule] };
  });
  const suspected = together.map((found) => ({ ...found, weight: found.weight * to.startedWithAll * ANY_SECOND }));
  return [anew, ...regular, ...suspected];
}

/** How likely a reset that nothing shows is to end a wait in any one second: a change of the spec may have come at any. */
function untoldReset({ specChanges, bornAtMs }: Pick<Before, "specChanges" | "bornAtMs">, startedAtMs: number) {
  const ageSeconds = Math.max(1, (startedAtMs - (bornAtMs ?? startedAtMs)) / 1_000);
  const changesPerSecond = specChanges / ageSeconds;
  const unseen = UNSEEN_RESET * ANY_SECOND;
  return changesPerSecond > unseen
    ? { perSecond: changesPerSecond, rule: "spec-change-fits-the-gap" }
    : { perSecond: unseen, rule: "gap-fits-no-delay" };
}

/**
 * How well the wait explains a start at `startedAtMs`, by the retry rule's own distribution. Never nothing: nodes can be
 * slow, and the slower the rarer.
 */
function fitOfGap(wait: Wait, finishedAtMs: number, startedAtMs: number, policy: CrashLoopPolicy): number {
  const lateMs = startedAtMs - wait.readyAtMs;
  if (lateMs < -EARLY_SLACK_MS) return LEAST_FIT;
  const { readyAtMs, plannedAtMs } = wait;
  const latestMs = plannedAtMs + longestLatenessMs(policy.retry, plannedAtMs - finishedAtMs) + SLOW_START_MS;
  const slow = SLOW_START * Math.exp(-lateMs / SLOW_START_FADES_MS) + LEAST_FIT;
  if (startedAtMs > latestMs) return slow;
  const view = { readyAtMs, plannedAtMs, siblingsPlannedAtMs: [], ...syncAtExit(finishedAtMs) };
  return shareStartingAt(view, policy.retry, startedAtMs) + slow;
}

/** A wait that had to be over is next to impossible, but nodes can be slow. */
const LEAST_STILL_DOWN = 1e-3;

/**
 * What a belief becomes where all containers were restarted between `from` and `to`: the entry stays as it is, for no
 * exited instance is left that the start could count from. How long the wait had lasted tells delays that are too short.
 */
function beliefsAfterRestartAll(
  belief: Belief,
  from: ReplayedRun,
  to: ReplayedRun,
  resets: readonly ForcedReset[],
  policy: CrashLoopPolicy,
): Belief[] {
  const rule = to.startedWithAll === 1 ? "restart-all-skips-the-wait" : "suspected-restart-all";
  const kept = { previousFinishedAtMs: null, rules: [...belief.rules, rule] };
  const { finishedAtMs } = from;
  if (finishedAtMs === null) return [{ ...belief, ...kept }];
  return possibleWaits([belief], from, resets, policy).map((possible) => ({
    ...kept,
    entry: possible.belief.entry,
    weight: possible.weight * (LEAST_STILL_DOWN + stillDown(possible, finishedAtMs, startOf(to), policy)),
  }));
}

function stillDown({ wait }: PossibleWait, finishedAtMs: number, atMs: number, policy: CrashLoopPolicy): number {
  const { readyAtMs, plannedAtMs } = wait;
  if (atMs <= readyAtMs) return 1;
  const view = { readyAtMs, plannedAtMs, siblingsPlannedAtMs: [], ...syncAtExit(finishedAtMs) };
  return shareStillDown(view, policy.retry, atMs);
}
