import { nextLookAfterMs, type RetryRule, TICK_MS } from "./retry-rule.ts";

/** What is known of a wait, and of the looks that the kubelet took at it. */
export interface WaitInView {
  /** The first instant at which a look starts the next instance. */
  readonly readyAtMs: number;
  /** The end of the delay, which the kubelet plans its looks from. */
  readonly plannedAtMs: number;
  /** When the waits of the pod's other containers end: the nearest plans the pod's next look (≥ 1.35). */
  readonly siblingsPlannedAtMs: readonly number[];
  /** A look that is known to have happened, within `spreadMs` of this instant. */
  readonly lookedAtMs: number;
  readonly spreadMs: number;
  /** No look has happened between that one and this instant. */
  readonly noLookUntilMs: number | null;
}

/** Not before the first instant, with `confidence` by the second. */
export interface RestartWindow {
  readonly notBeforeMs: number;
  readonly likelyByMs: number;
}

/** How finely time is cut. Windows end on whole seconds; half of that is enough. */
const STEP_MS = 500;
/** Instants of the API are truncated to a second: on average the true one is half a second later. */
const TRUNCATION_MS = 500;
/** From the look to the instance's startedAt: image check, create and start; measured on v1.34.4 and v1.37.1, 0.1–2 s. */
const START_LATENCY = [
  { steps: 0, share: 0.45 },
  { steps: 1, share: 0.3 },
  { steps: 2, share: 0.15 },
  { steps: 3, share: 0.1 },
] as const;
/** Below this share of all cases the retry rule does not explain that nothing has started yet. */
const NEGLIGIBLE = 1e-6;

/**
 * When the next instance starts, given that it had not by `nowMs`: the retry rule's own distribution, followed from the
 * last known look to the look that finds the wait over. Null if the rule says that it must have started before `nowMs`.
 */
export function restartWindow(
  wait: WaitInView,
  rule: RetryRule,
  nowMs: number,
  confidence: number,
): RestartWindow | null {
  const starts = startDistribution(wait, rule, nowMs);
  const firstStep = Math.max(0, Math.floor((nowMs - wait.lookedAtMs) / STEP_MS));
  let total = 0;
  for (let step = firstStep; step < starts.length; step++) total += starts[step] ?? 0;
  if (total < NEGLIGIBLE) return null;
  const earliest = quantile(starts, firstStep, total * 0.001);
  const latest = quantile(starts, firstStep, total * confidence) + 1;
  const earliestMs = Math.floor((wait.lookedAtMs + earliest * STEP_MS - TICK_MS) / 1000) * 1000;
  const latestMs = Math.ceil((wait.lookedAtMs + latest * STEP_MS) / 1000) * 1000;
  return {
    notBeforeMs: Math.max(nowMs, wait.readyAtMs, earliestMs),
    likelyByMs: Math.max(nowMs, wait.readyAtMs, latestMs),
  };
}

/** The share of all cases in which it starts within a second of `startedAtMs`: how well `wait` explains a start. */
export function shareStartingAt(wait: WaitInView, rule: RetryRule, startedAtMs: number): number {
  const starts = startDistribution(wait, rule, startedAtMs);
  const middle = Math.round((startedAtMs + TRUNCATION_MS - wait.lookedAtMs) / STEP_MS);
  let total = 0;
  for (let step = Math.max(0, middle - 2); step <= middle + 2; step++) total += starts[step] ?? 0;
  return total;
}

/** The share of all cases in which it had not started by `nowMs`: how well `wait` explains that it is still down. */
export function shareStillDown(wait: WaitInView, rule: RetryRule, nowMs: number): number {
  const starts = startDistribution(wait, rule, nowMs);
  const firstStep = Math.max(0, Math.floor((nowMs - wait.lookedAtMs) / STEP_MS));
  let total = 0;
  for (let step = firstStep; step < starts.length; step++) total += starts[step] ?? 0;
  return total;
}

function quantile(starts: Float64Array, from: number, share: number): number {
  let sum = 0;
  for (let step = from; step < starts.length; step++) {
    sum += starts[step] ?? 0;
    if (sum >= share) return step;
  }
  return starts.length;
}

/**
 * The probability of a start in each step since the known look. That of a look in a step is the sum of all `changes` up to
 * it: a look is followed by the next one in a range of steps, each as likely, and a range is two changes.
 */
function startDistribution(wait: WaitInView, rule: RetryRule, nowMs: number): Float64Array {
  const horizonMs = Math.max(wait.plannedAtMs, wait.readyAtMs, wait.lookedAtMs) - wait.lookedAtMs + 100_000;
  const changes = new Float64Array(Math.ceil(horizonMs / STEP_MS));
  const starts = new Float64Array(changes.length);
  const spreadSteps = Math.max(1, Math.round(wait.spreadMs / STEP_MS));
  addRange(changes, 0, spreadSteps, 1);
  const quietUntilStep =
    wait.noLookUntilMs === null ? 0 : Math.floor((Math.min(wait.noLookUntilMs, nowMs) - wait.lookedAtMs) / STEP_MS);
  let share = 0;
  for (let step = 0; step < changes.length; step++) {
    share += changes[step] ?? 0;
    if (share < 1e-12) continue;
    const atMs = wait.lookedAtMs + step * STEP_MS;
    if (atMs >= wait.readyAtMs + TRUNCATION_MS) addStart(starts, step, share);
    else planNextLook(changes, step, share, wait, rule, step < spreadSteps ? quietUntilStep : 0);
  }
  return starts;
}

/** Spreads a share evenly over the steps from one to before another. */
function addRange(changes: Float64Array, from: number, to: number, share: number): void {
  const each = share / (to - from);
  if (from < changes.length) changes[from] = (changes[from] ?? 0) + each;
  if (to < changes.length) changes[to] = (changes[to] ?? 0) - each;
}

function addStart(starts: Float64Array, step: number, share: number): void {
  for (const latency of START_LATENCY) {
    const at = step + latency.steps;
    if (at < starts.length) starts[at] = (starts[at] ?? 0) + share * latency.share;
  }
}

/** Spreads a look's share over the steps at which the next look can come. */
function planNextLook(
  changes: Float64Array,
  step: number,
  share: number,
  wait: WaitInView,
  rule: RetryRule,
  quietUntilStep: number,
): void {
  const atMs = wait.lookedAtMs + step * STEP_MS;
  let remainingMs = wait.plannedAtMs + TRUNCATION_MS - atMs;
  for (const sibling of wait.siblingsPlannedAtMs) {
    if (sibling > atMs && sibling - atMs < remainingMs) remainingMs = sibling - atMs;
  }
  const [leastMs, mostMs] = nextLookAfterMs(rule, remainingMs);
  const from = step + Math.max(1, Math.round(leastMs / STEP_MS));
  const to = step + Math.max(2, Math.round((mostMs + TICK_MS) / STEP_MS));
  addRange(changes, quietUntilStep < to ? Math.max(from, quietUntilStep) : from, to, share);
}
