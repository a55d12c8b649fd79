import { type CrashLoopPolicy, DEFAULT_CURVE, REDUCED_CURVE } from "../../kubelet/policy.ts";
import type { PodObservation } from "../observed/observation.ts";
import { type CurrentWait, currentWait, mergedWaits, type WeighedWait } from "./current-wait.ts";
import { type ContainerFacts, factsOf } from "./facts.ts";

/** A curve that the pod's own history speaks for, where the node's configuration could not be read. */
interface InferredPolicy {
  readonly policy: CrashLoopPolicy;
  readonly facts: readonly ContainerFacts[];
  /** The curve is not the version's default. */
  readonly isUnusual: boolean;
  /** The other curves that were tried and are not out of the question. */
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
/** Any other. */
const ODD_MAXIMUM = 0.001;
/** The alpha gate of the reduced curve. */
const REDUCED = 0.003;
/** Before v1.35 either takes an alpha gate. */
const ALPHA_GATE = 0.1;

/**
 * The policy that best explains the pod's gaps and messages: the version's default unless they contradict it. Curves with
 * another maximum, or the reduced one, are rarer to begin with and have to explain that much more.
 */
export function inferPolicy(observed: PodObservation, assumed: CrashLoopPolicy, atMs: number): InferredPolicy {
  const usual = candidate(observed, assumed, 1, atMs);
  const isFixed = !assumed.traits.isCurveConfigurable || atMs < CONFIGURABLE_SINCE_MS;
  const others = isFixed || usual.score > GOOD_ENOUGH ? [] : alternatives(usual.facts, assumed);
  const scored = others.map(({ policy, prior }) => candidate(observed, policy, prior, atMs));
  const best = scored.reduce((a, b) => (b.score > a.score ? b : a), usual);
  const total = scored.reduce((sum, { score }) => sum + score, usual.score);
  const rivals = [usual, ...scored]
    .filter((one) => one !== best && one.score > total * OUT_OF_THE_QUESTION)
    .map(({ policy, facts, score }) => ({ policy, facts, share: score / total }));
  return { policy: best.policy, facts: best.facts, isUnusual: best !== usual, rivals };
}

/** When v1.32.0 was released, the first kubelet with a curve that can be configured: older input is of an older one. */
const CONFIGURABLE_SINCE_MS = Date.UTC(2024, 11, 11);

/** So small a share bears on no figure. */
const OUT_OF_THE_QUESTION = 1e-3;

/** Above this the default explains all runs without a reset that nothing tells of. */
const GOOD_ENOUGH = 0.02;

function candidate(observed: PodObservation, policy: CrashLoopPolicy, prior: number, atMs: number) {
  const facts = observed.pod.containers.map((spec) => factsOf(spec, observed, policy));
  const fits = facts.map((fact) => fact.fit * fitOfBeingDown(fact, policy, atMs));
  return { policy, facts, score: fits.reduce((product, fit) => product * fit, prior) };
}

/** A wait that should have ended long ago speaks against the policy that says so. */
function fitOfBeingDown(facts: ContainerFacts, policy: CrashLoopPolicy, atMs: number): number {
  if (facts.isRunning || facts.decision !== "restart") return 1;
  return currentWait(facts, policy, atMs)?.fit ?? 1;
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
  const tried = [{ wait, share: ownShare }, ...rivals.flatMap((rival) => waitUnder(rival, name, atMs))];
  const waits = tried.flatMap(({ wait: candidate, share }) => weighed(candidate, share));
  const [own = [], ...others] = [...Map.groupBy(waits, (candidate) => candidate.wait.delayMs).values()];
  return {
    ...wait,
    share: shareOf(own),
    others: others
      .flatMap((group) => (group[0] === undefined ? [] : [{ wait: group[0].wait, share: shareOf(group) }]))
      .sort((a, b) => b.share - a.share),
    possible: mergedWaits(tried.flatMap(({ wait: candidate, share }) => beforehand(candidate, share))),
  };
}

function waitUnder({ facts, policy, share }: RivalPolicy, name: string, atMs: number) {
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
