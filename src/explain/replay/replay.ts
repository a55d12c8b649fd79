import { entryAfterStart, type Wait } from "../../kubelet/do-backoff.ts";
import type { CrashLoopPolicy } from "../../kubelet/policy.ts";
import { shareStartingAt } from "../../kubelet/restart-window.ts";
import { longestLatenessMs } from "../../kubelet/retry-rule.ts";
import type { PastRun } from "../history/container-history.ts";
import { type ForcedReset, isBeforeStart, isDuring } from "../history/resets.ts";
import { startOf } from "../history/runs.ts";
import { type Belief, mergedBeliefs, normalise, possibleWaits, shareStillWaiting, viewAfterExit } from "./beliefs.ts";
import { type Before, priorBeliefs } from "./prior-beliefs.ts";

/**
 * Replays the seen runs through the kubelet's rules, once for each state that its memory can have been in, and keeps the
 * states in proportion to how well they explain the observed gaps. Ends after the latest start. `isTraced`: each belief
 * says which one it came from.
 */
export function replay(
  runs: readonly PastRun[],
  resets: readonly ForcedReset[],
  known: Before,
  isRestartedAll: boolean,
  policy: CrashLoopPolicy,
  isTraced = false,
): Replayed {
  const [first, ...rest] = runs;
  if (first === undefined) return { beliefs: [], fit: 1 };
  if (isRestartedAll && rest.length === 0) return { beliefs: [NO_EXITED_INSTANCE], fit: 1 };
  let { beliefs, fit } = priorBeliefs(first, beforeRun(first, rest, known), policy);
  let before = first;
  for (const run of rest) {
    if (run.start > before.start + 1) {
      // Runs in between were not seen: begin anew rather than take them for one long gap.
      beliefs = priorBeliefs(run, { ...beforeRun(run, rest, known), ...NOTHING_KNOWN }, policy).beliefs;
      before = run;
      continue;
    }
    const after = beliefs.flatMap((belief) => {
      const led = beliefsAfter(belief, before, run, resets, known, policy);
      return isTraced ? led.map((to) => ({ ...to, before: belief })) : led;
    });
    fit *= after.reduce((sum, { weight }) => sum + weight, 0);
    beliefs = normalise(mergedBeliefs(after));
    before = run;
  }
  return { beliefs, fit };
}

/** Less the restarts of all containers that came after `run`. */
function beforeRun({ start }: PastRun, runs: readonly PastRun[], known: Before): Before {
  const later = runs.filter((run) => run.start > start && run.startedWithAll === 1).length;
  const count = Math.min(start, Math.max(0, known.restartAlls.count - later));
  return { ...known, restartAlls: { ...known.restartAlls, count } };
}

/** What a replay came to: the possible states, and how well the policy explains the gaps at all. */
export interface Replayed {
  readonly beliefs: readonly Belief[];
  /** A likelihood: only to be compared with that of another policy on the same runs. */
  readonly fit: number;
}

const NOTHING_KNOWN = { starts: null, lifetime: null, sinceCounted: null, areKubeletStartsSeen: false, bornAtMs: null };

const NO_EXITED_INSTANCE: Belief = {
  entry: undefined,
  previousFinishedAtMs: null,
  weight: 1,
  rules: ["restart-all-leaves-no-entry"],
};

/** The beliefs under which the wait after `run` has the delay that the kubelet's message names; all, if none does. */
export function agreeingWith(
  delayMs: number,
  { beliefs, fit }: Replayed,
  run: PastRun,
  resets: readonly ForcedReset[],
  policy: CrashLoopPolicy,
): Replayed {
  const agreeing = beliefs.filter((belief) =>
    possibleWaits([belief], run, resets, policy).some(({ wait }) => wait.delayMs === delayMs),
  );
  const share = agreeing.reduce((sum, { weight }) => sum + weight, 0);
  return share === 0 ? { beliefs, fit: fit * DISAGREEMENT } : { beliefs: normalise(agreeing), fit: fit * share };
}

/** A policy under which the kubelet cannot have written its own message is next to impossible. */
const DISAGREEMENT = 1e-9;

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
function beliefsAfter(
  belief: Belief,
  from: PastRun,
  to: PastRun,
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
  const untold = told === undefined ? untoldResetPerSecond(known, startedAtMs) : null;
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
function untoldResetPerSecond(
  { specChanges, bornAtMs }: Pick<Before, "specChanges" | "bornAtMs">,
  startedAtMs: number,
) {
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
  const { plannedAtMs } = wait;
  const latestMs = plannedAtMs + longestLatenessMs(policy.retry, plannedAtMs - finishedAtMs) + SLOW_START_MS;
  const slow = SLOW_START * Math.exp(-lateMs / SLOW_START_FADES_MS) + LEAST_FIT;
  if (startedAtMs > latestMs) return slow;
  return shareStartingAt(viewAfterExit(wait, finishedAtMs), policy.retry, startedAtMs) + slow;
}

/** A wait that had to be over is next to impossible, but nodes can be slow. */
const LEAST_STILL_DOWN = 1e-3;

/**
 * What a belief becomes where all containers were restarted between `from` and `to`: the entry stays as it is, for no
 * exited instance is left that the start could count from. How long the wait had lasted tells delays that are too short.
 */
function beliefsAfterRestartAll(
  belief: Belief,
  from: PastRun,
  to: PastRun,
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
    weight: possible.weight * (LEAST_STILL_DOWN + shareStillWaiting(possible.wait, finishedAtMs, startOf(to), policy)),
  }));
}
