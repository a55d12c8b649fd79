import { type CrashLoopPolicy, DEFAULT_CURVE, REDUCED_CURVE } from "../../kubelet/crash-loop-policy.ts";
import { RELEASED_AT_MS } from "../../kubelet/versions.ts";
import type { PodObservation } from "../observed/observation.ts";
import { addedUp, byShare, totalOf, type Weighed } from "./beliefs.ts";
import { type CurrentWait, currentWait, mergedWaits } from "./current-wait.ts";
import { type ReplayedContainer, replayedContainer } from "./replayed-container.ts";

export interface RivalPolicy extends Weighed {
  readonly policy: CrashLoopPolicy;
  readonly facts: readonly ReplayedContainer[];
}

interface InferredPolicy extends Omit<RivalPolicy, "share"> {
  readonly isOtherThanAssumed: boolean;
  readonly rivals: readonly RivalPolicy[];
}

/** Maximum delays in ms, each with the assumed share of nodes that have it. */
const COMMON_MAXIMA = new Map([
  [5_000, 0.001],
  [10_000, 0.002],
  [20_000, 0.001],
  [30_000, 0.003],
  [60_000, 0.005],
  [90_000, 0.001],
  [100_000, 0.001],
  [120_000, 0.003],
  [180_000, 0.002],
]);
/**
 * Assumed share of nodes with a certain maximum that `COMMON_MAXIMA` lacks. The program tries this maximum only if a
 * kubelet's message names it.
 */
const ODD_MAXIMUM = 0.001;
/** Assumed share of nodes with the reduced initial delay. */
const REDUCED = 0.003;
/** Assumed factor for a policy with the reduced initial delay and a maximum that is not usual for its version. */
const OTHER_MAXIMUM = 0.1;
/** Assumed factor for the policies of `alternatives` on v1.34 and older. Those versions need an alpha gate for them. */
const ALPHA_GATE = 0.1;
const NEGLIGIBLE_POLICY_SHARE = 1e-3;
/** If the score of the assumed policy is greater than this number, the program tries no other policy. */
const GOOD_ENOUGH = 0.02;

export function inferPolicy(observed: PodObservation, assumed: CrashLoopPolicy, atMs: number): InferredPolicy {
  const usual = candidate(observed, assumed, 1, atMs);
  const isFixed = !assumed.traits.isCurveConfigurable || atMs < RELEASED_AT_MS.configurableMaximum;
  const others = isFixed || usual.score > GOOD_ENOUGH ? [] : alternatives(usual.facts, assumed);
  const scored = [usual, ...others.map(({ policy, prior }) => candidate(observed, policy, prior, atMs))];
  const best = scored.reduce((a, b) => (b.score > a.score ? b : a));
  const total = scored.reduce((sum, { score }) => sum + score, 0);
  const rivals = scored
    .filter((one) => one !== best && one.score > total * NEGLIGIBLE_POLICY_SHARE)
    .map(({ policy, facts, score }) => ({ policy, facts, share: score / total }));
  return { policy: best.policy, facts: best.facts, isOtherThanAssumed: best !== usual, rivals };
}

function candidate(observed: PodObservation, policy: CrashLoopPolicy, prior: number, atMs: number) {
  const facts = observed.pod.containers.map((spec) => replayedContainer(spec, observed, policy));
  const score = facts.reduce((product, fact) => {
    const isWaiting = !fact.isRunning && fact.decision === "restart";
    // A container that is down long after the end of its wait makes the policy unlikely.
    return product * (fact.fit * (isWaiting ? (currentWait(fact, policy, atMs)?.fit ?? 1) : 1));
  }, prior);
  return { policy, facts, score };
}

function alternatives(facts: readonly ReplayedContainer[], assumed: CrashLoopPolicy) {
  const named = facts.map(({ messageDelayMs }) => messageDelayMs).filter((delayMs) => delayMs !== null);
  const maxima = [...new Set([...COMMON_MAXIMA.keys(), ...named])];
  const possible = maxima.filter((maxMs) => maxMs > 0 && maxMs < assumed.maxMs);
  const { isMaximumConfigurable } = assumed.traits;
  const rarity = isMaximumConfigurable ? 1 : ALPHA_GATE;
  const lower = possible.map((maxMs) => ({
    policy: { ...assumed, initialMs: Math.min(DEFAULT_CURVE.initialMs, maxMs), maxMs },
    prior: (COMMON_MAXIMA.get(maxMs) ?? ODD_MAXIMUM) * rarity,
  }));
  // Since v1.35, the default of maxContainerRestartPeriod usually overrides the reduced maximum.
  const usualMaxMs = isMaximumConfigurable ? DEFAULT_CURVE.maxMs : REDUCED_CURVE.maxMs;
  const reduced = [REDUCED_CURVE.maxMs, DEFAULT_CURVE.maxMs].map((maxMs) => ({
    policy: { ...assumed, initialMs: REDUCED_CURVE.initialMs, maxMs },
    prior: REDUCED * rarity * (maxMs === usualMaxMs ? 1 : OTHER_MAXIMUM),
  }));
  return [...lower, ...reduced];
}

export function amongRivals(own: CurrentWait, name: string, rivals: readonly RivalPolicy[], atMs: number): CurrentWait {
  if (rivals.length === 0 || own.basis === "observed") return own;
  const underRivals = rivals.flatMap(({ facts, policy, share }) => {
    const fact = facts.find(({ spec }) => spec.name === name);
    const wait = fact === undefined ? null : currentWait(fact, policy, atMs);
    return wait === null ? [] : [{ current: wait, policyShare: share }];
  });
  const tried = [{ current: own, policyShare: 1 - totalOf(rivals) }, ...underRivals];
  const waits = tried.flatMap(({ current, policyShare }) =>
    current.byDelay.map(({ wait, share }) => ({ wait, share: share * policyShare })),
  );
  // The shares in `possible` are those at the time of the exit. But `policyShare` includes `fit`, a likelihood as of
  // now. So divide by `fit`.
  const beforehand = tried.flatMap(({ current: { possible, fit }, policyShare }) =>
    possible.map(({ wait, share }) => ({ wait, share: fit === 0 ? 0 : (share * policyShare) / fit })),
  );
  // `waits` begins with `own.likeliest`, so the first group has the delay of `own.likeliest`.
  const [same = own, ...others] = addedUp(waits, ({ wait }) => wait.delayMs);
  const { share } = same;
  const byDelay = [{ wait: own.likeliest, share }, ...others.sort(byShare)];
  return { ...own, share, byDelay, possible: mergedWaits(beforehand) };
}
