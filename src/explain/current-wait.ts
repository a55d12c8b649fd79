import type { Wait } from "../kubelet/do-backoff.ts";
import type { CrashLoopPolicy } from "../kubelet/policy.ts";
import { type RestartWindow, restartWindow, shareStillDown } from "../kubelet/restart-window.ts";
import { type Belief, possibleWaits } from "./beliefs.ts";
import type { ContainerFacts } from "./facts.ts";
import type { KnownLooks } from "./looks.ts";

/** The wait that a container is in, or has just left, after its last exit. */
export interface CurrentWait {
  readonly finishedAtMs: number;
  readonly wait: Wait;
  /** observed: the kubelet's own message names the delay. */
  readonly basis: "observed" | "inferred";
  /** How much of all that explains what was seen agrees on the delay, 0 to 1. */
  readonly share: number;
  /** How well all that was seen explains that it is still down, as a likelihood. */
  readonly fit: number;
  readonly rules: readonly string[];
}

/** Share of all starts that a window must hold; what is lost to truncation and slow nodes comes on top. */
export const CONFIDENCE = 0.95;

interface Candidate {
  readonly wait: Wait;
  readonly belief: Belief;
  readonly weight: number;
}

/** The likeliest wait after the last exit, given that it has not ended by `atMs`; null if that exit's time is unknown. */
export function currentWait(facts: ContainerFacts, policy: CrashLoopPolicy, atMs: number): CurrentWait | null {
  const run = facts.runs.at(-1);
  if (run === undefined || run.finishedAtMs === null) return null;
  const { finishedAtMs } = run;
  const forced = facts.resets.filter((reset) => reset.atMs > finishedAtMs && reset.atMs <= atMs).at(-1);
  if (forced !== undefined) return afterForcedReset(finishedAtMs, forced.atMs, forced.kind);
  const candidates = possibleWaits(facts.beliefs, run, facts.resets, policy).map((candidate) => ({
    ...candidate,
    weight: candidate.weight * (1e-6 + stillDown(candidate.wait, finishedAtMs, policy, atMs)),
  }));
  if (facts.messageDelayMs !== null) return fromMessage(candidates, facts, finishedAtMs, policy);
  return likeliest(candidates, finishedAtMs);
}

/** Before the wait is over it is down in any case; only after that the retry rule has to be asked. */
function stillDown(wait: Wait, finishedAtMs: number, policy: CrashLoopPolicy, atMs: number): number {
  if (atMs <= wait.readyAtMs) return 1;
  return shareStillDown(withoutLooks(wait, finishedAtMs), policy.retry, atMs);
}

function withoutLooks(wait: Wait, finishedAtMs: number) {
  const { readyAtMs, plannedAtMs } = wait;
  const looks = { lookedAtMs: finishedAtMs, spreadMs: 2_000, noLookUntilMs: null };
  return { readyAtMs, plannedAtMs, siblingsPlannedAtMs: [], ...looks };
}

function likeliest(candidates: readonly Candidate[], finishedAtMs: number): CurrentWait | null {
  const total = candidates.reduce((sum, { weight }) => sum + weight, 0);
  const shares = new Map<number, number>();
  for (const { wait, weight } of candidates) shares.set(wait.delayMs, (shares.get(wait.delayMs) ?? 0) + weight);
  const best = [...shares].sort((a, b) => b[1] - a[1])[0];
  const chosen = candidates.filter(({ wait }) => wait.delayMs === best?.[0]).sort((a, b) => b.weight - a.weight)[0];
  if (best === undefined || chosen === undefined) return null;
  const { wait, belief } = chosen;
  return { finishedAtMs, wait, basis: "inferred", share: best[1] / total, fit: total, rules: belief.rules };
}

/** The message is the kubelet's own word: only beliefs that agree count, and if none does, the message alone. */
function fromMessage(
  candidates: readonly Candidate[],
  facts: ContainerFacts,
  finishedAtMs: number,
  policy: CrashLoopPolicy,
): CurrentWait {
  const delayMs = facts.messageDelayMs ?? 0;
  const agreeing = likeliest(
    candidates.filter(({ wait }) => wait.delayMs === delayMs),
    finishedAtMs,
  );
  const rules = ["message-names-the-delay"];
  if (agreeing !== null) return { ...agreeing, basis: "observed", share: 1, rules };
  const plannedAtMs = finishedAtMs + delayMs;
  const startedAtMs = facts.runs.at(-1)?.startedAtMs ?? finishedAtMs;
  const dropsAtMs = startedAtMs + policy.resetAfterMs;
  const isDropped = dropsAtMs > finishedAtMs && dropsAtMs < plannedAtMs;
  const wait: Wait = {
    countedFromMs: finishedAtMs,
    delayMs,
    readyAtMs: isDropped ? dropsAtMs : plannedAtMs,
    plannedAtMs,
    droppedAtMs: isDropped ? dropsAtMs : null,
    leavesNoEntry: false,
  };
  return { finishedAtMs, wait, basis: "observed", share: 1, fit: 0, rules };
}

function afterForcedReset(finishedAtMs: number, resetAtMs: number, rule: string): CurrentWait {
  const wait: Wait = {
    countedFromMs: finishedAtMs,
    delayMs: 0,
    readyAtMs: resetAtMs,
    plannedAtMs: resetAtMs,
    droppedAtMs: null,
    leavesNoEntry: false,
  };
  return { finishedAtMs, wait, basis: "inferred", share: 1, fit: 1, rules: [rule] };
}

/** When the wait's next instance starts; past the retry rule's last word, within one more round of looks from now. */
export function windowOf(
  current: CurrentWait,
  looks: KnownLooks,
  siblingsPlannedAtMs: readonly number[],
  policy: CrashLoopPolicy,
  atMs: number,
): RestartWindow {
  const { readyAtMs, plannedAtMs } = current.wait;
  const view = { readyAtMs, plannedAtMs, siblingsPlannedAtMs, ...looks };
  const known =
    restartWindow(view, policy.retry, atMs, CONFIDENCE) ??
    restartWindow({ ...view, noLookUntilMs: null }, policy.retry, atMs, CONFIDENCE);
  return known ?? { notBeforeMs: Math.max(atMs, readyAtMs), likelyByMs: Math.max(atMs, readyAtMs) + OVERDUE_MS };
}

/** A start that the looks cannot explain any more is held up by the node: images, disk, runtime. */
const OVERDUE_MS = 15_000;
