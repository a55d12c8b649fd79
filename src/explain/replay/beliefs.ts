import type { BackoffEntry } from "../../backoff/backoff.ts";
import { type Wait, waitAfter } from "../../kubelet/do-backoff.ts";
import type { CrashLoopPolicy } from "../../kubelet/policy.ts";
import { shareStillDown, type WaitInView } from "../../kubelet/restart-window.ts";
import { syncAtExit } from "../../kubelet/retry-rule.ts";
import type { PastRun } from "../history/container-history.ts";

/** One possible state of the kubelet's memory about a container, and how well it explains the observation. */
export interface Belief {
  /** The entry after the latest start; undefined: there is none. */
  readonly entry: BackoffEntry | undefined;
  /** The exit before the latest start. */
  readonly previousFinishedAtMs: number | null;
  readonly weight: number;
  /** The rules that led here, for the evidence. */
  readonly rules: readonly string[];
  /** The belief about the start before that led here; left out at the start that the replay began with. */
  readonly before?: Belief;
}

/** The possible states of the kubelet's memory after the latest start. */
export interface Replayed {
  readonly beliefs: readonly Belief[];
  /** How well the policy explains the observation: a likelihood, to be compared only with another policy's on the same runs. */
  readonly fit: number;
}

export interface PossibleWait {
  readonly wait: Wait;
  readonly belief: Belief;
  readonly weight: number;
}

/** The waits that an exit can lead to, over all beliefs, with and without a kill by the kubelet if that is in doubt. */
export function possibleWaits(beliefs: readonly Belief[], run: PastRun, policy: CrashLoopPolicy): PossibleWait[] {
  const finishedAtMs = run.finishedAtMs ?? 0;
  return beliefs.flatMap((belief) =>
    [false, true].flatMap((killedBySync) => {
      const entry = run.isForgotten ? undefined : belief.entry;
      const wait = waitAfter(entry, belief.previousFinishedAtMs, { finishedAtMs, killedBySync }, policy);
      const weight = belief.weight * (killedBySync ? run.cause.killedBySync : 1 - run.cause.killedBySync);
      return weight > 0 ? [{ wait, belief: { ...belief, entry }, weight }] : [];
    }),
  );
}

/** The syncs of a wait about which nothing but the exit is known. */
export function viewAfterExit({ readyAtMs, plannedAtMs }: Wait, finishedAtMs: number): WaitInView {
  return { readyAtMs, plannedAtMs, siblingsPlannedAtMs: [], ...syncAtExit(finishedAtMs) };
}

/** How likely it is, 0 to 1, that nothing has started by `atMs`: 1 until the wait is over, then by the retry rule. */
export function shareStillWaiting(wait: Wait, finishedAtMs: number, atMs: number, { retry }: CrashLoopPolicy): number {
  return atMs <= wait.readyAtMs ? 1 : shareStillDown(viewAfterExit(wait, finishedAtMs), retry, atMs);
}

export function totalOf(weighed: readonly { readonly weight: number }[]): number {
  return weighed.reduce((sum, { weight }) => sum + weight, 0);
}

/** Beliefs with a smaller share change no answer. */
const NEGLIGIBLE = 1e-9;

/** Scales the weights to a sum of 1, drops negligible beliefs and puts the likeliest first. */
export function normalise(beliefs: readonly Belief[]): Belief[] {
  const total = totalOf(beliefs);
  return beliefs
    .map((belief) => ({ ...belief, weight: belief.weight / total }))
    .filter((belief) => belief.weight > NEGLIGIBLE)
    .sort((a, b) => b.weight - a.weight);
}

/** The likeliest belief with the likeliest delay; `share` is how likely that delay is, 0 to 1. Null without beliefs. */
export function likeliestEntry(beliefs: readonly Belief[]): (Belief & { readonly share: number }) | null {
  const [best] = [...Map.groupBy(beliefs, ({ entry }) => entry?.delayMs ?? 0).values()]
    .flatMap((group) => group.slice(0, 1).map((belief) => ({ ...belief, share: totalOf(group) })))
    .sort((a, b) => b.share - a.share);
  return best ?? null;
}

/** To follow this many beliefs takes less time than to compare them. */
const FEW = 40;

/**
 * Merges beliefs about the same state of the kubelet's memory, because the same follows from each of them; unmerged, they would
 * double at every gap that two of them explain. The merged belief has the rules of the likeliest one.
 */
export function mergedBeliefs(beliefs: readonly Belief[]): readonly Belief[] {
  if (beliefs.length <= FEW) return beliefs;
  const byState = Map.groupBy(
    beliefs,
    ({ entry, previousFinishedAtMs }) => `${entry?.delayMs} ${entry?.lastUpdateMs} ${previousFinishedAtMs}`,
  );
  return [...byState.values()].map((group) => ({
    ...group.reduce((likeliest, belief) => (belief.weight > likeliest.weight ? belief : likeliest)),
    weight: totalOf(group),
  }));
}
