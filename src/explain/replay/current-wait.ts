import type { BackoffEntry } from "../../backoff/backoff.ts";
import { type Wait, waitAfter } from "../../kubelet/do-backoff.ts";
import type { CrashLoopPolicy } from "../../kubelet/policy.ts";
import {
  addedUp,
  byShare,
  type PossibleWait,
  possibleWaits,
  shareStillWaiting,
  totalOf,
  type Weighed,
} from "./beliefs.ts";
import type { ContainerFacts } from "./facts.ts";

/** A wait that may be in force, and the probability of that, 0 to 1. */
export interface WeighedWait extends Weighed {
  readonly wait: Wait;
}

/** The likeliest wait after a container's last exit; `share` is the probability of its delay. */
export interface CurrentWait extends WeighedWait {
  readonly finishedAtMs: number;
  /** The back-off entry at that exit; undefined: there was none. */
  readonly entry: BackoffEntry | undefined;
  /** observed: the kubelet's own message names the delay. */
  readonly basis: "observed" | "inferred";
  /** The waits with other delays that may be in force instead, likeliest first. */
  readonly others: readonly WeighedWait[];
  /** Every wait that may be in force, with its probability at the exit: whether it should have ended by now does not count. */
  readonly possible: readonly WeighedWait[];
  /** The probability, under the policy, that the container is still down at the moment explained. */
  readonly fit: number;
  readonly rules: readonly string[];
}

/** Whether a delay of this share, 0 to 1, is only "the likeliest of several". */
export function isDoubtful(share: number): boolean {
  return Math.round(share * 100) < 90;
}

/** The likeliest wait after the last exit, given that it has not ended by `atMs`; null if that exit's time is unknown. */
export function currentWait(facts: ContainerFacts, policy: CrashLoopPolicy, atMs: number): CurrentWait | null {
  const { runs, resets, beliefs, messageDelayMs } = facts;
  const run = runs.at(-1);
  if (run === undefined || run.finishedAtMs === null) return null;
  const { finishedAtMs } = run;
  const forced = resets.findLast((reset) => reset.atMs > finishedAtMs && reset.atMs <= atMs);
  if (forced !== undefined) {
    // The kubelet lost the entry after the exit, so its next sync starts the container.
    const wait = waitAfter(undefined, null, { finishedAtMs: forced.atMs, killedBySync: false }, policy);
    return { ...sureWait(finishedAtMs, wait, undefined), basis: "inferred", fit: 1, rules: [forced.kind] };
  }
  const candidates = possibleWaits(beliefs, run, policy).map((candidate) => ({
    ...candidate,
    prior: candidate.share,
    share: candidate.share * (1e-6 + shareStillWaiting(candidate.wait, finishedAtMs, atMs, policy)),
  }));
  if (messageDelayMs === null) return likeliestWait(candidates, finishedAtMs);
  // Only waits with the delay in the kubelet's message count; if no belief leads to it, the message alone.
  const named = { basis: "observed", share: 1, others: [], rules: ["message-names-the-delay"] } as const;
  const agreeing = candidates.filter(({ wait }) => wait.delayMs === messageDelayMs);
  const likeliest = likeliestWait(agreeing, finishedAtMs);
  if (likeliest !== null) return { ...likeliest, ...named };
  const entry = { delayMs: messageDelayMs, lastUpdateMs: run.startedAtMs ?? finishedAtMs };
  const wait = waitAfter(entry, null, { finishedAtMs, killedBySync: false }, policy);
  return { ...sureWait(finishedAtMs, { ...wait, delayMs: messageDelayMs }, entry), ...named, fit: 0 };
}

function sureWait(finishedAtMs: number, wait: Wait, entry: BackoffEntry | undefined) {
  return { finishedAtMs, wait, entry, share: 1, others: [], possible: [{ wait, share: 1 }] };
}

/** `share` is `prior` times the probability that the wait has not ended. */
type Candidate = PossibleWait & { readonly prior: number };

function likeliestWait(candidates: readonly Candidate[], finishedAtMs: number): CurrentWait | null {
  const fit = totalOf(candidates);
  const [best, ...others] = addedUp(candidates, ({ wait }) => wait.delayMs)
    .map((candidate) => ({ ...candidate, share: candidate.share / fit }))
    .sort(byShare);
  if (best === undefined) return null;
  const { wait, belief, share } = best;
  return {
    finishedAtMs,
    wait,
    entry: belief.entry,
    basis: "inferred",
    share,
    others: others.map((other) => ({ wait: other.wait, share: other.share })),
    possible: mergedWaits(candidates.map((candidate) => ({ wait: candidate.wait, share: candidate.prior }))),
    fit,
    rules: belief.rules,
  };
}

/** Merges waits that end alike, and scales the shares to a sum of 1. */
export function mergedWaits(waits: readonly WeighedWait[]): WeighedWait[] {
  const total = totalOf(waits);
  const byEnd = addedUp(waits, ({ wait: { readyAtMs, plannedAtMs } }) => `${readyAtMs} ${plannedAtMs}`);
  return byEnd.map(({ wait, share }) => ({ wait, share: share / total }));
}
