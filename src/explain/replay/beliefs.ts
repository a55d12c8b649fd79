import type { BackoffEntry } from "../../backoff/backoff.ts";
import { type Wait, waitAfter } from "../../kubelet/do-backoff.ts";
import type { CrashLoopPolicy } from "../../kubelet/policy.ts";
import { shareStillDown, type WaitInView } from "../../kubelet/restart-window.ts";
import { syncAtExit } from "../../kubelet/retry-rule.ts";
import type { PastRun } from "../history/container-history.ts";

/** One of several possibilities. The shares of all of them add up to 1, or are compared with each other only. */
export interface Weighed {
  readonly share: number;
}

/** One possible state of the kubelet's memory about a container; its share says how well it explains the observation. */
export interface Belief extends Weighed {
  /** The back-off entry after the latest start; undefined: there is none. */
  readonly entry: BackoffEntry | undefined;
  /** The exit after which the latest start came. */
  readonly previousFinishedAtMs: number | null;
  /** The names of the rules by which the replay concluded this, for the evidence. */
  readonly rules: readonly string[];
  /** The belief about the previous start, from which this one follows; left out at the first start of the replay. */
  readonly before?: Belief;
  /** The wait before the start, and the entry at its beginning; left out if a reset or RestartAllContainers ended the wait. */
  readonly after?: { readonly wait: Wait; readonly entry: BackoffEntry | undefined };
}

/** The possible states of the kubelet's memory after the latest start. */
export interface Replayed {
  readonly beliefs: readonly Belief[];
  /** How well the policy explains the observation: a likelihood, to be compared only with another policy's on the same runs. */
  readonly fit: number;
}

export interface PossibleWait extends Weighed {
  readonly wait: Wait;
  readonly belief: Belief;
}

/** The waits that can follow the exit of `run` under each belief, with and without a kill by the kubelet if that is in doubt. */
export function possibleWaits(beliefs: readonly Belief[], run: PastRun, policy: CrashLoopPolicy): PossibleWait[] {
  const finishedAtMs = run.finishedAtMs ?? 0;
  return beliefs.flatMap((belief) =>
    [false, true].flatMap((killedBySync) => {
      const entry = run.isForgotten ? undefined : belief.entry;
      const wait = waitAfter(entry, belief.previousFinishedAtMs, { finishedAtMs, killedBySync }, policy);
      const share = belief.share * (killedBySync ? run.cause.killedBySync : 1 - run.cause.killedBySync);
      return share > 0 ? [{ wait, belief: { ...belief, entry }, share }] : [];
    }),
  );
}

/** The kubelet's syncs during a wait, if only the sync at the exit is known. */
export function viewAfterExit({ readyAtMs, plannedAtMs }: Wait, finishedAtMs: number): WaitInView {
  return { readyAtMs, plannedAtMs, siblingsPlannedAtMs: [], ...syncAtExit(finishedAtMs) };
}

/** The probability, 0 to 1, that the next instance has not started by `atMs`: 1 during the wait, then by the retry rule. */
export function shareStillWaiting(wait: Wait, finishedAtMs: number, atMs: number, { retry }: CrashLoopPolicy): number {
  return atMs <= wait.readyAtMs ? 1 : shareStillDown(viewAfterExit(wait, finishedAtMs), retry, atMs);
}

export function totalOf(all: readonly Weighed[]): number {
  return all.reduce((sum, { share }) => sum + share, 0);
}

/** Of all items with the same key, the likeliest one with their total share. */
export function addedUp<T extends Weighed>(all: readonly T[], keyOf: (item: T) => unknown): T[] {
  return [...Map.groupBy(all, keyOf).values()].map((group) => ({
    ...group.reduce((likeliest, item) => (item.share > likeliest.share ? item : likeliest)),
    share: totalOf(group),
  }));
}

/** A comparison for `sort`: the likeliest comes first. */
export function byShare(a: Weighed, b: Weighed): number {
  return b.share - a.share;
}

/** Beliefs with a smaller share do not change the answer. */
const NEGLIGIBLE = 1e-9;

/** Scales the shares to a sum of 1, drops negligible beliefs and puts the likeliest first. */
export function normalise(beliefs: readonly Belief[]): Belief[] {
  const total = totalOf(beliefs);
  return beliefs
    .map((belief) => ({ ...belief, share: belief.share / total }))
    .filter(({ share }) => share > NEGLIGIBLE)
    .sort(byShare);
}

/** The likeliest belief for each delay, the likeliest delay first; the share is that of the delay. */
export function beliefsByDelay(beliefs: readonly Belief[]): Belief[] {
  return addedUp(beliefs, ({ entry }) => entry?.delayMs ?? 0).sort(byShare);
}

export function likeliestEntry(beliefs: readonly Belief[]): Belief | null {
  return beliefsByDelay(beliefs)[0] ?? null;
}

/** Fewer beliefs are not merged, because it takes less time to follow them. */
const FEW = 40;

/**
 * Merges beliefs about the same state of the kubelet's memory, because the same follows from each of them: without that, their
 * number could double at every gap between two runs. The merged belief has the rules of the likeliest one.
 */
export function mergedBeliefs(beliefs: readonly Belief[]): readonly Belief[] {
  if (beliefs.length <= FEW) return beliefs;
  return addedUp(
    beliefs,
    ({ entry, previousFinishedAtMs }) => `${entry?.delayMs} ${entry?.lastUpdateMs} ${previousFinishedAtMs}`,
  );
}
