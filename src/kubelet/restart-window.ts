import { longestLatenessMs, type RetryRule, TICK_MS } from "./retry-rule.ts";
import { STEP_MS, startDistribution, TRUNCATION_MS } from "./start-distribution.ts";

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

/** Below this share of all cases the retry rule does not explain that nothing has started yet. */
const NEGLIGIBLE = 1e-6;

/**
 * When the next instance starts, given that it had not by `nowMs`: the retry rule's own distribution, followed from the
 * last known look to the look that finds the wait over. Null if the rule says that it must have started before `nowMs`.
 */
export function restartWindow(
  view: WaitInView,
  rule: RetryRule,
  nowMs: number,
  confidence: number,
): RestartWindow | null {
  const wait = withinReach(view, rule);
  const starts = startsOf(wait, rule, nowMs);
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
export function shareStartingAt(view: WaitInView, rule: RetryRule, startedAtMs: number): number {
  const wait = withinReach(view, rule);
  const starts = startsOf(wait, rule, startedAtMs);
  const middle = Math.round((startedAtMs + TRUNCATION_MS - wait.lookedAtMs) / STEP_MS);
  let total = 0;
  for (let step = Math.max(0, middle - 2); step <= middle + 2; step++) total += starts[step] ?? 0;
  return total;
}

/** The share of all cases in which it had not started by `nowMs`: how well `wait` explains that it is still down. */
export function shareStillDown(view: WaitInView, rule: RetryRule, nowMs: number): number {
  const wait = withinReach(view, rule);
  const starts = startsOf(wait, rule, nowMs);
  const firstStep = Math.max(0, Math.floor((nowMs - wait.lookedAtMs) / STEP_MS));
  let total = 0;
  for (let step = firstStep; step < starts.length; step++) total += starts[step] ?? 0;
  return total;
}

/** No kubelet waits for longer than 5m: of what a file or a flag makes up, no more than this is followed look by look. */
const LONGEST_FOLLOWED_MS = 3_600_000;

/** The same wait, from a later look if the known one is too far back to tell when the last looks are. */
function withinReach(view: WaitInView, rule: RetryRule): WaitInView {
  const wait = { ...view, plannedAtMs: Math.min(view.plannedAtMs, view.readyAtMs + LONGEST_FOLLOWED_MS) };
  const lookedAtMs = wait.readyAtMs - LONGEST_FOLLOWED_MS;
  if (lookedAtMs <= wait.lookedAtMs) return wait;
  const spreadMs = Math.min(longestLatenessMs(rule, LONGEST_FOLLOWED_MS) * 2, LONGEST_FOLLOWED_MS / 2);
  const isQuietAfter = wait.noLookUntilMs !== null && wait.noLookUntilMs > lookedAtMs;
  return { ...wait, lookedAtMs, spreadMs, noLookUntilMs: isQuietAfter ? wait.noLookUntilMs : null };
}

function quantile(starts: Float64Array, from: number, share: number): number {
  let sum = 0;
  for (let step = from; step < starts.length; step++) {
    sum += starts[step] ?? 0;
    if (sum >= share) return step;
  }
  return starts.length;
}

/** The distribution of the start, in steps since the known look. */
function startsOf(wait: WaitInView, rule: RetryRule, nowMs: number): Float64Array {
  const { readyAtMs, plannedAtMs, siblingsPlannedAtMs, lookedAtMs, spreadMs, noLookUntilMs } = wait;
  const quietUntilMs = noLookUntilMs === null ? lookedAtMs : Math.min(noLookUntilMs, nowMs);
  const seen = {
    readyMs: readyAtMs - lookedAtMs,
    plannedMs: plannedAtMs - lookedAtMs,
    siblingsPlannedMs: siblingsPlannedAtMs.map((plannedAtMs) => plannedAtMs - lookedAtMs),
    spreadMs,
    quietUntilStep: Math.floor((quietUntilMs - lookedAtMs) / STEP_MS),
  };
  return startDistribution(seen, rule);
}
