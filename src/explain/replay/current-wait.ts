import type { BackoffEntry } from "../../backoff/backoff.ts";
import { type Wait, waitAfter } from "../../kubelet/do-backoff.ts";
import type { CrashLoopPolicy } from "../../kubelet/policy.ts";
import { type PossibleWait, possibleWaits, shareStillWaiting, totalOf } from "./beliefs.ts";
import type { ContainerFacts } from "./facts.ts";

/** A wait that may be in force, and how likely that is, 0 to 1. */
export interface WeighedWait {
  readonly wait: Wait;
  readonly share: number;
}

/** The likeliest wait after a container's last exit, and how likely its delay is: `share`. */
export interface CurrentWait extends WeighedWait {
  readonly finishedAtMs: number;
  /** The back-off entry at that exit; undefined: there was none. */
  readonly entry: BackoffEntry | undefined;
  /** observed: the kubelet's own message names the delay. */
  readonly basis: "observed" | "inferred";
  /** The waits with other delays that may be in force instead, likeliest first. */
  readonly others: readonly WeighedWait[];
  /** Every wait that may be in force, weighed without the knowledge whether it has ended. */
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
    // The kubelet forgot the entry after the exit: it starts the container at the first sync since.
    const wait = waitAfter(undefined, null, { finishedAtMs: forced.atMs, killedBySync: false }, policy);
    return { ...sureWait(finishedAtMs, wait, undefined), basis: "inferred", fit: 1, rules: [forced.kind] };
  }
  const candidates = possibleWaits(beliefs, run, policy).map((candidate) => ({
    ...candidate,
    prior: candidate.weight,
    weight: candidate.weight * (1e-6 + shareStillWaiting(candidate.wait, finishedAtMs, atMs, policy)),
  }));
  if (messageDelayMs === null) return likeliestWait(candidates, finishedAtMs);
  // Only beliefs that agree with the kubelet's message count; if none does, the message alone.
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

/** `weight` is `prior` times the chance that the wait has not ended. */
type Candidate = PossibleWait & { readonly prior: number };

function likeliestWait(candidates: readonly Candidate[], finishedAtMs: number): CurrentWait | null {
  const fit = totalOf(candidates);
  const [best, ...others] = [...Map.groupBy(candidates, ({ wait }) => wait.delayMs).values()]
    .map((group) => ({
      ...group.reduce((a, b) => (b.weight > a.weight ? b : a)),
      share: totalOf(group) / fit,
    }))
    .sort((a, b) => b.share - a.share);
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
  const total = sumOfShares(waits);
  const byEnd = Map.groupBy(waits, ({ wait: { readyAtMs, plannedAtMs } }) => `${readyAtMs} ${plannedAtMs}`);
  return [...byEnd.values()].flatMap((group) =>
    group.slice(0, 1).map(({ wait }) => ({ wait, share: sumOfShares(group) / total })),
  );
}

export function sumOfShares(all: readonly { readonly share: number }[]): number {
  return all.reduce((sum, { share }) => sum + share, 0);
}
