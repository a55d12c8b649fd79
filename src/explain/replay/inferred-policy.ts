import { type CrashLoopPolicy, DEFAULT_CURVE, REDUCED_CURVE } from "../../kubelet/policy.ts";
import type { PodObservation } from "../observed/observation.ts";
import { currentWait } from "./current-wait.ts";
import { type ContainerFacts, factsOf } from "./facts.ts";
import type { RivalPolicy } from "./rival-policies.ts";

/** A curve that the pod's own history speaks for, where the node's configuration could not be read. */
export interface InferredPolicy {
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
  const others = usual.score > GOOD_ENOUGH ? [] : alternatives(usual.facts, assumed);
  const scored = others.map(({ policy, prior }) => candidate(observed, policy, prior, atMs));
  const best = scored.reduce((a, b) => (b.score > a.score ? b : a), usual);
  const total = scored.reduce((sum, { score }) => sum + score, usual.score);
  const rivals = [usual, ...scored]
    .filter((one) => one !== best && one.score > total * OUT_OF_THE_QUESTION)
    .map(({ policy, facts, score }) => ({ policy, facts, share: score / total }));
  return { policy: best.policy, facts: best.facts, isUnusual: best !== usual, rivals };
}

/** So small a share bears on no figure. */
const OUT_OF_THE_QUESTION = 1e-3;

/** Above this the default explains all runs without a reset that nothing tells of. */
const GOOD_ENOUGH = 0.02;

function candidate(observed: PodObservation, policy: CrashLoopPolicy, prior: number, atMs: number) {
  const facts = observed.pod.containers.map((spec) => factsOf(spec, observed, policy));
  const fits = facts.map((fact) => fact.fit * stillDown(fact, policy, atMs));
  return { policy, facts, score: fits.reduce((product, fit) => product * fit, prior) };
}

/** A wait that should have ended long ago speaks against the policy that says so. */
function stillDown(facts: ContainerFacts, policy: CrashLoopPolicy, atMs: number): number {
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
