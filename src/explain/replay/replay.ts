import type { CrashLoopPolicy } from "../../kubelet/policy.ts";
import type { ForcedReset } from "../history/resets.ts";
import { beliefsAfter } from "./across-gap.ts";
import { type Belief, merged, normalise, possibleWaits, type ReplayedRun } from "./beliefs.ts";
import { type Before, priorBeliefs } from "./prior-beliefs.ts";

/**
 * Replays the seen runs through the kubelet's rules, once for each state that its memory can have been in, and keeps the
 * states in proportion to how well they explain the observed gaps. Ends after the latest start. `isTraced`: each belief
 * says which one it came from.
 */
export function replay(
  runs: readonly ReplayedRun[],
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
    beliefs = normalise(merged(after));
    before = run;
  }
  return { beliefs, fit };
}

/** Less the restarts of all containers that came after `run`. */
function beforeRun({ start }: ReplayedRun, runs: readonly ReplayedRun[], known: Before): Before {
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
  run: ReplayedRun,
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
