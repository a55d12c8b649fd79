import type { BackoffEntry } from "../../backoff/backoff.ts";
import { type Wait, waitAfter } from "../../kubelet/do-backoff.ts";
import type { CrashLoopPolicy } from "../../kubelet/policy.ts";
import { shareStillDown, type WaitInView } from "../../kubelet/restart-window.ts";
import { syncAtExit } from "../../kubelet/retry-rule.ts";
import type { PastRun } from "../history/container-history.ts";
import { type ForcedReset, isForgottenDuring } from "../history/resets.ts";

/** One possible state of the kubelet's memory about a container, and how well it explains what was seen. */
export interface Belief {
  /** The entry after the latest start; undefined: there is none. */
  readonly entry: BackoffEntry | undefined;
  /** The exit before the latest start. */
  readonly previousFinishedAtMs: number | null;
  readonly weight: number;
  /** The rules that led here, for the evidence. */
  readonly rules: readonly string[];
  /** The one before the latest start that it came from, where the replay is traced. */
  readonly before?: Belief;
}

/** A wait, the belief that leads to it, and how likely the two are. */
export interface PossibleWait {
  readonly wait: Wait;
  readonly belief: Belief;
  readonly weight: number;
}

/** The waits that an exit can lead to, over all beliefs and both readings of a doubtful kill. */
export function possibleWaits(
  beliefs: readonly Belief[],
  run: PastRun,
  resets: readonly ForcedReset[],
  policy: CrashLoopPolicy,
): PossibleWait[] {
  const finishedAtMs = run.finishedAtMs ?? 0;
  const isForgotten = isForgottenDuring(run, resets);
  return beliefs.flatMap((belief) =>
    READINGS.map((killedBySync) => {
      const entry = isForgotten ? undefined : belief.entry;
      const wait = waitAfter(entry, belief.previousFinishedAtMs, { finishedAtMs, killedBySync }, policy);
      const share = killedBySync ? run.cause.killedBySync : 1 - run.cause.killedBySync;
      return { wait, belief: { ...belief, entry }, weight: belief.weight * share };
    }).filter(({ weight }) => weight > 0),
  );
}

const READINGS = [false, true] as const;

/** How the kubelet syncs a wait after an exit, where nothing is known but the exit. */
export function viewAfterExit({ readyAtMs, plannedAtMs }: Wait, finishedAtMs: number): WaitInView {
  return { readyAtMs, plannedAtMs, siblingsPlannedAtMs: [], ...syncAtExit(finishedAtMs) };
}

/** How likely it is that nothing has started by then: certain until the wait is over, after that what the retry rule says. */
export function shareStillWaiting(wait: Wait, finishedAtMs: number, atMs: number, { retry }: CrashLoopPolicy): number {
  return atMs <= wait.readyAtMs ? 1 : shareStillDown(viewAfterExit(wait, finishedAtMs), retry, atMs);
}

/** A belief with so small a share bears on no answer. */
const NEGLIGIBLE = 1e-9;

/** Scales the weights to a sum of 1, and drops what explains next to nothing. */
export function normalise(beliefs: readonly Belief[]): Belief[] {
  const total = beliefs.reduce((sum, belief) => sum + belief.weight, 0);
  return beliefs
    .map((belief) => ({ ...belief, weight: belief.weight / total }))
    .filter((belief) => belief.weight > NEGLIGIBLE)
    .sort((a, b) => b.weight - a.weight);
}

/** The entry that most beliefs agree on by delay, with the share of them that does; null if nothing is known. */
export function likeliestEntry(
  beliefs: readonly Belief[],
): { readonly entry: BackoffEntry | undefined; readonly share: number; readonly rules: readonly string[] } | null {
  const shares = new Map<number, number>();
  for (const { entry, weight } of beliefs) {
    const delayMs = entry?.delayMs ?? 0;
    shares.set(delayMs, (shares.get(delayMs) ?? 0) + weight);
  }
  const best = [...shares].sort((a, b) => b[1] - a[1])[0];
  const belief = beliefs.find(({ entry }) => (entry?.delayMs ?? 0) === best?.[0]);
  return best === undefined || belief === undefined
    ? null
    : { entry: belief.entry, share: best[1], rules: belief.rules };
}

/** To follow so many is quicker than to compare them. */
const FEW = 40;

/**
 * The same beliefs with those as one that hold the same of the kubelet's memory, by whatever way they came to it: what follows
 * is the same for all of them, and else they double with every gap that several explain. The rules are those of the likeliest.
 */
export function mergedBeliefs(beliefs: readonly Belief[]): readonly Belief[] {
  if (beliefs.length <= FEW) return beliefs;
  const byState = new Map<string, { likeliest: Belief; weight: number }>();
  for (const belief of beliefs) {
    const { entry, previousFinishedAtMs, weight } = belief;
    const key = `${entry?.delayMs} ${entry?.lastUpdateMs} ${previousFinishedAtMs}`;
    const known = byState.get(key);
    if (known === undefined) byState.set(key, { likeliest: belief, weight });
    else {
      known.weight += weight;
      if (weight > known.likeliest.weight) known.likeliest = belief;
    }
  }
  return [...byState.values()].map(({ likeliest, weight }) => ({ ...likeliest, weight }));
}
