import { lookAtExit } from "../../kubelet/known-looks.ts";
import type { CrashLoopPolicy } from "../../kubelet/policy.ts";
import { shareStillDown } from "../../kubelet/restart-window.ts";
import type { ForcedReset } from "../history/resets.ts";
import { startOf } from "../history/runs.ts";
import { type Belief, type PossibleWait, possibleWaits, type ReplayedRun } from "./beliefs.ts";

/** A wait that had to be over is next to impossible, but nodes can be slow. */
const LEAST_FIT = 1e-3;

/**
 * What a belief becomes where all containers were restarted between `from` and `to`: the entry stays as it is, for no
 * exited instance is left that the start could count from. How long the wait had lasted tells delays that are too short.
 */
export function beliefsAfterRestartAll(
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
    weight: possible.weight * (LEAST_FIT + stillDown(possible, finishedAtMs, startOf(to), policy)),
  }));
}

function stillDown({ wait }: PossibleWait, finishedAtMs: number, atMs: number, policy: CrashLoopPolicy): number {
  const { readyAtMs, plannedAtMs } = wait;
  if (atMs <= readyAtMs) return 1;
  const view = { readyAtMs, plannedAtMs, siblingsPlannedAtMs: [], ...lookAtExit(finishedAtMs) };
  return shareStillDown(view, policy.retry, atMs);
}
