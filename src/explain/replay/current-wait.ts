import type { BackoffEntry } from "../../backoff/backoff.ts";
import type { CrashLoopPolicy } from "../../kubelet/crash-loop-policy.ts";
import { type Wait, waitAfter } from "../../kubelet/do-backoff.ts";
import {
  addedUp,
  byShare,
  type PossibleWait,
  possibleWaits,
  shareStillWaiting,
  totalOf,
  type Weighed,
  type WeighedWait,
} from "./beliefs.ts";
import type { ReplayedContainer } from "./replayed-container.ts";

export interface CurrentWait extends Weighed {
  readonly likeliest: Wait;
  readonly finishedAtMs: number;
  readonly entry: BackoffEntry | undefined;
  readonly basis: "observed" | "inferred";
  /** One wait for each delay that is still possible, with its probability now; begins with `likeliest`. */
  readonly byDelay: readonly WeighedWait[];
  /** The possible waits, with their probabilities at the exit. */
  readonly possible: readonly WeighedWait[];
  /**
   * The likelihood, under the policy, that the container is still down. If the kubelet's message names a delay: the
   * likelihood that the container is still down with this delay. 1 after a forced reset.
   */
  readonly fit: number;
  readonly rules: readonly string[];
}

/** Rounds to whole percent, so that a printed 90% is not doubtful. */
export function isDoubtful(share: number): boolean {
  return Math.round(share * 100) < 90;
}

export function currentWait(facts: ReplayedContainer, policy: CrashLoopPolicy, atMs: number): CurrentWait | null {
  const { runs, resets, beliefs, messageDelayMs } = facts;
  const run = runs.at(-1);
  if (run === undefined || run.finishedAtMs === null) return null;
  const { finishedAtMs } = run;
  const forced = resets.findLast((reset) => reset.atMs > finishedAtMs && reset.atMs <= atMs);
  if (forced !== undefined) {
    // Assumed: after a forced reset, the container has no wait.
    const wait = waitAfter(undefined, null, { finishedAtMs: forced.atMs, killedBySync: false }, policy);
    return { ...sureWait(finishedAtMs, wait, undefined), basis: "inferred", fit: 1, rules: [forced.kind] };
  }
  const candidates = possibleWaits(beliefs, run, policy).map((candidate) => ({
    ...candidate,
    prior: candidate.share,
    share: candidate.share * (1e-6 + shareStillWaiting(candidate.wait, finishedAtMs, atMs, policy)),
  }));
  if (messageDelayMs === null) return likeliestWait(candidates, finishedAtMs);
  const named = { basis: "observed", rules: ["message-names-the-delay"] } as const;
  const agreeing = candidates.filter(({ wait }) => wait.delayMs === messageDelayMs);
  const likeliest = likeliestWait(agreeing, finishedAtMs);
  if (likeliest !== null) return { ...likeliest, ...named };
  const entry = { delayMs: messageDelayMs, lastUpdateMs: run.startedAtMs ?? finishedAtMs };
  const wait = waitAfter(entry, null, { finishedAtMs, killedBySync: false }, policy);
  return { ...sureWait(finishedAtMs, { ...wait, delayMs: messageDelayMs }, entry), ...named, fit: 0 };
}

function sureWait(finishedAtMs: number, wait: Wait, entry: BackoffEntry | undefined) {
  const only = [{ wait, share: 1 }];
  return { finishedAtMs, likeliest: wait, entry, share: 1, byDelay: only, possible: only };
}

/**
 * `prior`: the probability at the exit. `share`: `prior`, weighed by the probability that the container is still down.
 */
type Candidate = PossibleWait & { readonly prior: number };

function likeliestWait(candidates: readonly Candidate[], finishedAtMs: number): CurrentWait | null {
  const fit = totalOf(candidates);
  const byDelay = addedUp(candidates, ({ wait }) => wait.delayMs)
    .map((candidate) => ({ ...candidate, share: candidate.share / fit }))
    .sort(byShare);
  const [best] = byDelay;
  if (best === undefined) return null;
  const { wait, belief, share } = best;
  return {
    finishedAtMs,
    likeliest: wait,
    entry: belief.entry,
    basis: "inferred",
    share,
    byDelay,
    possible: mergedWaits(candidates.map((candidate) => ({ wait: candidate.wait, share: candidate.prior }))),
    fit,
    rules: belief.rules,
  };
}

export function mergedWaits(waits: readonly WeighedWait[]): WeighedWait[] {
  const total = totalOf(waits);
  const byEnd = addedUp(waits, ({ wait: { readyAtMs, plannedAtMs } }) => `${readyAtMs} ${plannedAtMs}`);
  return byEnd.map(({ wait, share }) => ({ wait, share: share / total }));
}
