import type { CrashLoopPolicy } from "../../kubelet/policy.ts";
import { type CurrentWait, currentWait, merged, type WeighedWait } from "./current-wait.ts";
import type { ContainerFacts } from "./facts.ts";

/** A policy that may be in force, what it makes of the containers, and how likely it is among those that were tried. */
export interface RivalPolicy {
  readonly policy: CrashLoopPolicy;
  readonly facts: readonly ContainerFacts[];
  /** 0 to 1. */
  readonly share: number;
}

/**
 * The wait as the likeliest policy gives it, with the waits that its rivals give beside it: those with the same delay
 * make it surer, the others are further candidates. A delay that the kubelet itself has named is beyond doubt.
 */
export function amongRivals(
  wait: CurrentWait,
  name: string,
  rivals: readonly RivalPolicy[],
  atMs: number,
): CurrentWait {
  if (rivals.length === 0 || wait.basis === "observed") return wait;
  const ownShare = 1 - rivals.reduce((sum, { share }) => sum + share, 0);
  const tried = [{ wait, share: ownShare }, ...rivals.flatMap((rival) => waitOf(rival, name, atMs))];
  const waits = tried.flatMap(({ wait: candidate, share }) => weighed(candidate, share));
  const [own = [], ...others] = [...Map.groupBy(waits, (candidate) => candidate.wait.delayMs).values()];
  return {
    ...wait,
    share: shareOf(own),
    others: others
      .flatMap((group) => (group[0] === undefined ? [] : [{ wait: group[0].wait, share: shareOf(group) }]))
      .sort((a, b) => b.share - a.share),
    possible: merged(tried.flatMap(({ wait: candidate, share }) => beforehand(candidate, share))),
  };
}

function waitOf({ facts, policy, share }: RivalPolicy, name: string, atMs: number) {
  const own = facts.find(({ spec }) => spec.name === name);
  const wait = own === undefined ? null : currentWait(own, policy, atMs);
  return wait === null ? [] : [{ wait, share }];
}

/** A policy's share rests on the wait not having ended; `fit` is how much that has weighed. */
function beforehand({ possible, fit }: CurrentWait, policyShare: number): WeighedWait[] {
  return possible.map(({ wait, share }) => ({ wait, share: fit === 0 ? 0 : (share * policyShare) / fit }));
}

/** All the waits that are possible under one policy; the likeliest comes first. */
function weighed({ wait, share, others }: CurrentWait, policyShare: number): readonly WeighedWait[] {
  return [{ wait, share }, ...others].map((one) => ({ ...one, share: one.share * policyShare }));
}

function shareOf(waits: readonly WeighedWait[]): number {
  return waits.reduce((sum, { share }) => sum + share, 0);
}
