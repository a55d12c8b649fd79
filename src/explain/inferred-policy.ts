import { type CrashLoopPolicy, DEFAULT_CURVE, REDUCED_CURVE } from "../kubelet/policy.ts";
import { currentWait } from "./current-wait.ts";
import { type ContainerFacts, factsOf } from "./facts.ts";
import type { PodObservation } from "./observation.ts";

/** A curve that the pod's own history speaks for, where the node's configuration could not be read. */
export interface InferredPolicy {
  readonly policy: CrashLoopPolicy;
  readonly facts: readonly ContainerFacts[];
  /** The curve is not the version's default. */
  readonly isUnusual: boolean;
  /** How sure it is among the curves that were tried, 0 to 1. */
  readonly share: number;
}

/** Maxima that operators choose; a maximum that a message names is tried as well. */
const COMMON_MAXIMA_MS = [5_000, 10_000, 20_000, 30_000, 60_000, 90_000, 120_000, 180_000];
/** How much rarer a changed maximum, and the alpha gate of the reduced curve, are than the defaults. */
const CHANGED_MAXIMUM = 0.01;
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
  return { policy: best.policy, facts: best.facts, isUnusual: best !== usual, share: best.score / total };
}

/** Above this the default explains all runs without a reset that nothing tells of. */
const GOOD_ENOUGH = 0.02;

function candidate(observed: PodObservation, policy: CrashLoopPolicy, prior: number, atMs: number) {
  const facts = observed.pod.containers.map((spec) => factsOf(spec, observed, policy));
  const fits = facts.map((fact) => fact.fit * stillDown(fact, policy, atMs) * ageFit(fact, observed, policy));
  return { policy, facts, score: fits.reduce((product, fit) => product * fit, prior) };
}

/** So many restarts in so short a time: under this policy that takes a reset, and nothing tells of one. */
const UNTOLD_RESET = 1e-3;

/** Whether restartCount fits into the pod's age with the waits that the policy asks for. */
function ageFit(facts: ContainerFacts, observed: PodObservation, policy: CrashLoopPolicy): number {
  const last = facts.runs.at(-1);
  const bornAtMs = observed.pod.startedAtMs ?? observed.pod.createdAtMs;
  const isExplained = facts.resets.length > 0 || facts.runs.some((run) => run.cause.killedBySync > 0.01);
  if (last === undefined || last.startedAtMs === null || bornAtMs === null || isExplained) return 1;
  return last.startedAtMs - bornAtMs < shortestAgeMs(last.start, policy) - 5_000 ? UNTOLD_RESET : 1;
}

/** All waits before the n-th restart, if every run ended at once. */
function shortestAgeMs(restarts: number, policy: CrashLoopPolicy): number {
  let ageMs = 0;
  let delayMs = policy.initialMs;
  for (let restart = 2; restart <= restarts; restart++) {
    if (delayMs >= policy.maxMs) return ageMs + (restarts - restart + 1) * policy.maxMs;
    ageMs += delayMs;
    delayMs = Math.min(delayMs * 2, policy.maxMs);
  }
  return ageMs;
}

/** A wait that should have ended long ago speaks against the policy that says so. */
function stillDown(facts: ContainerFacts, policy: CrashLoopPolicy, atMs: number): number {
  if (facts.isRunning || facts.decision !== "restart") return 1;
  return currentWait(facts, policy, atMs)?.fit ?? 1;
}

function alternatives(facts: readonly ContainerFacts[], assumed: CrashLoopPolicy) {
  const named = facts.map(({ messageDelayMs }) => messageDelayMs).filter((delayMs) => delayMs !== null);
  const maxima = [...new Set([...COMMON_MAXIMA_MS, ...named])].filter((maxMs) => maxMs > 0 && maxMs < assumed.maxMs);
  const rarity = assumed.retry.kind === "every-10s" ? ALPHA_GATE : 1;
  const lower = maxima.map((maxMs) => ({
    policy: { ...assumed, initialMs: Math.min(DEFAULT_CURVE.initialMs, maxMs), maxMs },
    prior: CHANGED_MAXIMUM * rarity,
  }));
  const reduced = [REDUCED_CURVE.maxMs, DEFAULT_CURVE.maxMs].map((maxMs) => ({
    policy: { ...assumed, initialMs: REDUCED_CURVE.initialMs, maxMs },
    prior: REDUCED * rarity,
  }));
  return [...lower, ...reduced];
}
