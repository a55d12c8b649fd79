import type { BackoffEntry } from "../../backoff/backoff.ts";
import { type Wait, waitAfter } from "../../kubelet/do-backoff.ts";
import type { CrashLoopPolicy } from "../../kubelet/policy.ts";
import type { ForcedReset } from "../history/resets.ts";
import { type PossibleWait, possibleWaits, shareStillWaiting } from "./beliefs.ts";
import type { ContainerFacts } from "./facts.ts";

/** A wait that may be in force, and how likely that is, 0 to 1. */
export interface WeighedWait {
  readonly wait: Wait;
  readonly share: number;
}

/** The wait that a container is in, or has just left, after its last exit. */
export interface CurrentWait {
  readonly finishedAtMs: number;
  readonly wait: Wait;
  /** The back-off entry at that exit; undefined: there was none. */
  readonly entry: BackoffEntry | undefined;
  /** observed: the kubelet's own message names the delay. */
  readonly basis: "observed" | "inferred";
  /** How much of all that explains what was seen agrees on the delay, 0 to 1. */
  readonly share: number;
  /** The waits with other delays that may be in force instead, likeliest first. */
  readonly others: readonly WeighedWait[];
  /** Every wait that may be in force, as likely as it was before it was known whether it has ended. */
  readonly possible: readonly WeighedWait[];
  /** How well all that was seen explains that it is still down, as a likelihood. */
  readonly fit: number;
  readonly rules: readonly string[];
}

/** Whether a delay that is so likely, 0 to 1, is to be called the likeliest of several. */
export function isDoubtful(share: number): boolean {
  return Math.round(share * 100) < 90;
}

/** The likeliest wait after the last exit, given that it has not ended by `atMs`; null if that exit's time is unknown. */
export function currentWait(facts: ContainerFacts, policy: CrashLoopPolicy, atMs: number): CurrentWait | null {
  const run = facts.runs.at(-1);
  if (run === undefined || run.finishedAtMs === null) return null;
  const { finishedAtMs } = run;
  const forced = facts.resets.filter((reset) => reset.atMs > finishedAtMs && reset.atMs <= atMs).at(-1);
  if (forced !== undefined) return afterForcedReset(finishedAtMs, forced, policy);
  const candidates = possibleWaits(facts.beliefs, run, facts.resets, policy).map((candidate) => ({
    ...candidate,
    prior: candidate.weight,
    weight: candidate.weight * (1e-6 + shareStillWaiting(candidate.wait, finishedAtMs, atMs, policy)),
  }));
  if (facts.messageDelayMs !== null) return fromMessage(candidates, facts, finishedAtMs, policy);
  return likeliestWait(candidates, finishedAtMs);
}

/** `weight` is what is left of `prior` now that the wait has not ended. */
interface Candidate extends PossibleWait {
  readonly prior: number;
}

function likeliestWait(candidates: readonly Candidate[], finishedAtMs: number): CurrentWait | null {
  const fit = candidates.reduce((sum, { weight }) => sum + weight, 0);
  const byDelay = Map.groupBy(candidates, ({ wait }) => wait.delayMs);
  const [best, ...others] = [...byDelay.values()]
    .map((group) => ({
      heaviest: group.reduce((a, b) => (b.weight > a.weight ? b : a)),
      share: group.reduce((sum, { weight }) => sum + weight, 0) / fit,
    }))
    .sort((a, b) => b.share - a.share);
  if (best === undefined) return null;
  const { wait, belief } = best.heaviest;
  return {
    finishedAtMs,
    wait,
    entry: belief.entry,
    basis: "inferred",
    share: best.share,
    others: others.map(({ heaviest, share }) => ({ wait: heaviest.wait, share })),
    possible: mergedWaits(candidates.map(({ wait: candidate, prior }) => ({ wait: candidate, share: prior }))),
    fit,
    rules: belief.rules,
  };
}

/** The same waits with those that end alike put together, and shares that add up to 1. */
export function mergedWaits(waits: readonly WeighedWait[]): WeighedWait[] {
  const total = sumOfShares(waits);
  const byEnd = Map.groupBy(waits, ({ wait: { readyAtMs, plannedAtMs } }) => `${readyAtMs} ${plannedAtMs}`);
  return [...byEnd.values()].flatMap((group) => {
    const [first] = group;
    return first === undefined ? [] : [{ wait: first.wait, share: sumOfShares(group) / total }];
  });
}

function sumOfShares(waits: readonly WeighedWait[]): number {
  return waits.reduce((sum, { share }) => sum + share, 0);
}

/** The message is the kubelet's own word: only beliefs that agree count, and if none does, the message alone. */
function fromMessage(
  candidates: readonly Candidate[],
  facts: ContainerFacts,
  finishedAtMs: number,
  policy: CrashLoopPolicy,
): CurrentWait {
  const delayMs = facts.messageDelayMs ?? 0;
  const agreeing = likeliestWait(
    candidates.filter(({ wait }) => wait.delayMs === delayMs),
    finishedAtMs,
  );
  const named = { basis: "observed", share: 1, others: [], rules: ["message-names-the-delay"] } as const;
  if (agreeing !== null) return { ...agreeing, ...named };
  const lastUpdateMs = facts.runs.at(-1)?.startedAtMs ?? finishedAtMs;
  const entry = { delayMs, lastUpdateMs };
  const wait = { ...waitAfter(entry, null, { finishedAtMs, killedBySync: false }, policy), delayMs };
  return { finishedAtMs, wait, entry, ...named, possible: [{ wait, share: 1 }], fit: 0 };
}

/** The kubelet forgot the entry after the exit: it starts the container at the first sync since. */
function afterForcedReset(finishedAtMs: number, { atMs, kind }: ForcedReset, policy: CrashLoopPolicy): CurrentWait {
  const wait = waitAfter(undefined, null, { finishedAtMs: atMs, killedBySync: false }, policy);
  const possible = [{ wait, share: 1 }];
  const known = { finishedAtMs, wait, entry: undefined, basis: "inferred", share: 1, others: [], possible } as const;
  return { ...known, fit: 1, rules: [kind] };
}
