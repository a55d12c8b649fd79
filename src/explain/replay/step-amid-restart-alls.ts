import type { CrashLoopPolicy } from "../../kubelet/policy.ts";
import { startOf } from "../history/runs.ts";
import type { ReplayedRun } from "./beliefs.ts";
import type { Before } from "./prior-beliefs.ts";

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
export function stepAmidRestartAlls(
  level: number,
  levels: readonly number[],
  run: ReplayedRun,
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
function highestStep(levels: readonly number[], run: ReplayedRun, paceMs: number | null): number {
  const ranMs = run.finishedAtMs === null ? 0 : run.finishedAtMs - startOf(run);
  const cutShort = paceMs === null ? -1 : levels.findIndex((delayMs) => delayMs > paceMs - ranMs);
  return cutShort === -1 ? levels.length - 1 : cutShort;
}
