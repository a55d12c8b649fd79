import { type CrashLoopPolicy, DEFAULT_CURVE, REDUCED_CURVE } from "../../kubelet/policy.ts";
import type { PodObservation } from "../observed/observation.ts";
import { addedUp, byShare, totalOf, type Weighed } from "./beliefs.ts";
import { type CurrentWait, currentWait, mergedWaits } from "./current-wait.ts";
import { type ContainerFacts, factsOf } from "./facts.ts";

/** A policy that may be in force, with its probability, 0 to 1, and the replay of the containers under it. */
export interface RivalPolicy extends Weighed {
  readonly policy: CrashLoopPolicy;
  readonly facts: readonly ContainerFacts[];
}

interface InferredPolicy extends Omit<RivalPolicy, "share"> {
  /** The curve is not the version's default. */
  readonly isUnusual: boolean;
  /** The other curves that were tried and are likely enough to matter. */
  readonly rivals: readonly RivalPolicy[];
}

/** Maxima that operators choose, with their shares of all nodes; one that a message names is tried as well. */
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
/** The share of any other maximum. */
const ODD_MAXIMUM = 0.001;
/** The share of the reduced curve, which needs an alpha gate. */
const REDUCED = 0.003;
/** The factor for v1.34 and older, where another maximum and the reduced curve need an alpha gate. */
const ALPHA_GATE = 0.1;
/** The release of v1.32.0, the first kubelet with a configurable curve: input from before is from an older kubelet. */
const CONFIGURABLE_SINCE_MS = Date.UTC(2024, 11, 11);
/** Policies with a smaller share do not change the answer. */
const NEGLIGIBLE = 1e-3;
/** With a higher score, the default explains all runs without an unseen reset: then no other policy is tried. */
const GOOD_ENOUGH = 0.02;

/**
 * The policy that best explains the pod's gaps and messages, if the node's configuration could not be read: the version's
 * default unless they contradict it. Other maxima and the reduced curve are rarer, so they must explain much more.
 */
export function inferPolicy(observed: PodObservation, assumed: CrashLoopPolicy, atMs: number): InferredPolicy {
  const usual = candidate(observed, assumed, 1, atMs);
  const isFixed = !assumed.traits.isCurveConfigurable || atMs < CONFIGURABLE_SINCE_MS;
  const others = isFixed || usual.score > GOOD_ENOUGH ? [] : alternatives(usual.facts, assumed);
  const scored = [usual, ...others.map(({ policy, prior }) => candidate(observed, policy, prior, atMs))];
  const best = scored.reduce((a, b) => (b.score > a.score ? b : a));
  const total = scored.reduce((sum, { score }) => sum + score, 0);
  const rivals = scored
    .filter((one) => one !== best && one.score > total * NEGLIGIBLE)
    .map(({ policy, facts, score }) => ({ policy, facts, share: score / total }));
  return { policy: best.policy, facts: best.facts, isUnusual: best !== usual, rivals };
}

function candidate(observed: PodObservation, policy: CrashLoopPolicy, prior: number, atMs: number) {
  const facts = observed.pod.containers.map((spec) => factsOf(spec, observed, policy));
  const score = facts.reduce((product, fact) => {
    const isDown = !fact.isRunning && fact.decision === "restart";
    // A container that is down long after the end of its wait makes the policy unlikely.
    return product * (fact.fit * (isDown ? (currentWait(fact, policy, atMs)?.fit ?? 1) : 1));
  }, prior);
  return { policy, facts, score };
}

function alternatives(facts: readonly ContainerFacts[], assumed: CrashLoopPolicy) {
  const named = facts.map(({ messageDelayMs }) => messageDelayMs).filter((delayMs) => delayMs !== null);
  const maxima = [...new Set([...COMMON_MAXIMA.keys(), ...named])];
  const possible = maxima.filter((maxMs) => maxMs > 0 && maxMs < assumed.maxMs);
  const rarity = assumed.retry.kind === "every-10s" ? ALPHA_GATE : 1;
  const lower = possible.map((maxMs) => ({
    policy: { ...assumed, initialMs: Math.min(DEFAULT_CURVE.initialMs, maxMs), maxMs },
    prior: (COMMON_MAXIMA.get(maxMs) ?? ODD_MAXIMUM) * rarity,
  }));
  const reduced = [REDUCED_CURVE.maxMs, DEFAULT_CURVE.maxMs].map((maxMs) => ({
    policy: { ...assumed, initialMs: REDUCED_CURVE.initialMs, maxMs },
    prior: REDUCED * rarity,
  }));
  return [...lower, ...reduced];
}

/**
 * Adds the waits under the rival policies to the wait under the likeliest one: those with the same delay add to its share,
 * those with another delay join its `others`. A delay that the kubelet's message names is certain, so nothing is added.
 */
export function amongRivals(own: CurrentWait, name: string, rivals: readonly RivalPolicy[], atMs: number): CurrentWait {
  if (rivals.length === 0 || own.basis === "observed") return own;
  const underRivals = rivals.flatMap(({ facts, policy, share }) => {
    const fact = facts.find(({ spec }) => spec.name === name);
    const wait = fact === undefined ? null : currentWait(fact, policy, atMs);
    return wait === null ? [] : [{ current: wait, policyShare: share }];
  });
  const tried = [{ current: own, policyShare: 1 - totalOf(rivals) }, ...underRivals];
  const waits = tried.flatMap(({ current, policyShare }) =>
    [current, ...current.others].map(({ wait, share }) => ({ wait, share: share * policyShare })),
  );
  // A policy's share already allows for the wait not having ended, by the factor `fit`.
  const beforehand = tried.flatMap(({ current: { possible, fit }, policyShare }) =>
    possible.map(({ wait, share }) => ({ wait, share: fit === 0 ? 0 : (share * policyShare) / fit })),
  );
  // The first one has the own delay, because `waits` begins with the own wait.
  const [same = own, ...others] = addedUp(waits, ({ wait }) => wait.delayMs);
  return { ...own, share: same.share, others: others.sort(byShare), possible: mergedWaits(beforehand) };
}
