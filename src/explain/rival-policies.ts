import type { CrashLoopPolicy } from "../kubelet/policy.ts";
import { type CurrentWait, currentWait } from "./current-wait.ts";
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
  const waits = [...weighed(wait, ownShare), ...rivals.flatMap((rival) => waitsOf(rival, name, atMs))];
  const [own = [], ...others] = [...Map.groupBy(waits, (candidate) => candidate.wait.delayMs).values()];
  return {
    ...wait,
    share: shareOf(own),
    others: others
      .flatMap((group) => (group[0] === undefined ? [] : [{ wait: group[0].wait, share: shareOf(group) }]))
      .sort((a, b) => b.share - a.share),
  };
}

function waitsOf({ facts, policy, share }: RivalPolicy, name: string, atMs: number) {
  const own = facts.find(({ spec }) => spec.name === name);
  const wait = own === undefined ? null : currentWait(own, policy, atMs);
  return wait === null ? [] : weighed(wait, share);
}

/** All the waits that are possible under one policy; the likeliest comes first. */
function weighed({ wait, share, others }: CurrentWait, policyShare: number): CurrentWait["others"] {
  return [{ wait, share }, ...others].map((one) => ({ ...one, share: one.share * policyShare }));
}

function shareOf(waits: CurrentWait["others"]): number {
  return waits.reduce((sum, { share }) => sum + share, 0);
}
