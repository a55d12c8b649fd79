import type { BackoffEntry } from "../../backoff/backoff.ts";
import type { CrashLoopPolicy } from "../../kubelet/crash-loop-policy.ts";
import { type Wait, waitAfter } from "../../kubelet/do-backoff.ts";
import type { StartDistribution } from "../../kubelet/start-distribution.ts";
import { startsAfter, syncAtExit } from "../../kubelet/starts-after.ts";
import type { PastRun } from "../history/container-history.ts";
import { startOf } from "../history/runs.ts";

/** One of several possibilities. `share` is its probability, or only a relative weight. */
export interface Weighed {
  readonly share: number;
}

/** What the kubelet may remember of a container's back-off. */
export interface Belief extends Weighed {
  readonly entry: BackoffEntry | undefined;
  /** The exit before the latest start, as far as known; null if the kubelet found no exited instance at that start. */
  readonly previousFinishedAtMs: number | null;
  /** The names of the rules by which the replay came to this belief (docs/fields.md). */
  readonly rules: readonly string[];
}

export interface Replayed {
  readonly beliefs: readonly Belief[];
  /** A relative likelihood of the observed runs under a policy. Only values for the same runs can be compared. */
  readonly fit: number;
}

export function withoutEntry(rule: string): Replayed {
  return { beliefs: [{ entry: undefined, previousFinishedAtMs: null, share: 1, rules: [rule] }], fit: 1 };
}

export interface WeighedWait extends Weighed {
  readonly wait: Wait;
}

export interface PossibleWait extends WeighedWait {
  readonly belief: Belief;
}

export function possibleWaits(beliefs: readonly Belief[], run: PastRun, policy: CrashLoopPolicy): PossibleWait[] {
  const finishedAtMs = run.finishedAtMs ?? 0;
  return beliefs.flatMap((belief) =>
    [false, true].flatMap((killedBySync) => {
      const entry = run.isRecordLost ? undefined : belief.entry;
      const wait = waitAfter(entry, belief.previousFinishedAtMs, { finishedAtMs, killedBySync }, policy);
      const share = belief.share * (killedBySync ? run.cause.killedBySync : 1 - run.cause.killedBySync);
      return share > 0 ? [{ wait, belief: { ...belief, entry }, share }] : [];
    }),
  );
}

/**
 * Returns when `run` would have started without its image pull. The kubelet updates the back-off before the pull
 * (`SyncPod`, pkg/kubelet/kuberuntime/kuberuntime_manager.go, v1.34.4 and v1.37.1).
 */
export function startWithoutPull(run: PastRun): number {
  return startOf(run) - run.pulledForMs;
}

export function startsAfterExit(wait: Wait, finishedAtMs: number, { retry }: CrashLoopPolicy): StartDistribution {
  return startsAfter(wait, syncAtExit(finishedAtMs), retry);
}

export function shareStillWaiting(wait: Wait, finishedAtMs: number, atMs: number, policy: CrashLoopPolicy): number {
  return atMs <= wait.readyAtMs ? 1 : 1 - startsAfterExit(wait, finishedAtMs, policy).by(atMs);
}

export function totalOf(all: readonly Weighed[]): number {
  return all.reduce((sum, { share }) => sum + share, 0);
}

export function addedUp<T extends Weighed>(all: readonly T[], keyOf: (item: T) => unknown): T[] {
  return [...Map.groupBy(all, keyOf).values()].map((group) => ({
    ...group.reduce((likeliest, item) => (item.share > likeliest.share ? item : likeliest)),
    share: totalOf(group),
  }));
}

export function byShare(a: Weighed, b: Weighed): number {
  return b.share - a.share;
}

const NEGLIGIBLE_BELIEF_SHARE = 1e-9;

export function normalise(beliefs: readonly Belief[]): Belief[] {
  const total = totalOf(beliefs);
  return beliefs
    .map((belief) => ({ ...belief, share: belief.share / total }))
    .filter(({ share }) => share > NEGLIGIBLE_BELIEF_SHARE)
    .sort(byShare);
}

/**
 * Returns the likeliest of the beliefs with the likeliest delay. The `share` of the result is the sum of the shares of
 * all beliefs with this delay.
 */
export function likeliestBelief(beliefs: readonly Belief[]): Belief | null {
  return addedUp(beliefs, ({ entry }) => entry?.delayMs ?? 0).sort(byShare)[0] ?? null;
}

const FEW_BELIEFS = 40;

/** If there are many beliefs, merges those with equal states of the back-off, because each run can add beliefs. */
export function mergedBeliefs(beliefs: readonly Belief[]): readonly Belief[] {
  if (beliefs.length <= FEW_BELIEFS) return beliefs;
  return addedUp(
    beliefs,
    ({ entry, previousFinishedAtMs }) => `${entry?.delayMs} ${entry?.lastUpdateMs} ${previousFinishedAtMs}`,
  );
}
