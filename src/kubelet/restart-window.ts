import { longestLatenessMs, type RetryRule, TICK_MS } from "./retry-rule.ts";
import { STEP_MS, startDistribution, TRUNCATION_MS } from "./start-distribution.ts";
import { type Lateness, ON_TIME } from "./start-lateness.ts";
import { type StartShares, tabulated } from "./start-shares.ts";

/** What is known of a wait, and of the syncs that the kubelet took at it. */
export interface WaitInView {
  /** The first instant at which a sync starts the next instance. */
  readonly readyAtMs: number;
  /** The end of the delay, which the kubelet plans its syncs from. */
  readonly plannedAtMs: number;
  /** When the waits of the pod's other containers end: the nearest plans the pod's next sync (≥ 1.35). */
  readonly siblingsPlannedAtMs: readonly number[];
  /** A sync that is known to have happened, within `spreadMs` of this instant. */
  readonly syncedAtMs: number;
  readonly spreadMs: number;
  /** No sync has happened between that one and this instant. */
  readonly noSyncUntilMs: number | null;
  /** How late this node's starts are; left out: it is at rest. */
  readonly lateness?: Lateness;
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
 * last known sync to the sync that finds the wait over. Null if the rule says that it must have started before `nowMs`.
 */
export function restartWindow(
  view: WaitInView,
  rule: RetryRule,
  nowMs: number,
  confidence: number,
): RestartWindow | null {
  const wait = withinReach(view, rule);
  const starts = startsOf(wait, rule, nowMs);
  const { lateness = ON_TIME } = wait;
  const firstStep = Math.max(0, Math.floor((nowMs - wait.syncedAtMs) / STEP_MS));
  const total = shareStartingFrom(starts, lateness, firstStep);
  if (total < NEGLIGIBLE) return null;
  const earliest = quantile(starts, lateness, firstStep, total * 0.999);
  const latest = quantile(starts, lateness, firstStep, total * (1 - confidence)) + 1;
  const earliestMs = Math.floor((wait.syncedAtMs + earliest * STEP_MS - TICK_MS) / 1000) * 1000;
  const latestMs = Math.ceil((wait.syncedAtMs + latest * STEP_MS) / 1000) * 1000;
  return {
    notBeforeMs: Math.max(nowMs, wait.readyAtMs, earliestMs),
    likelyByMs: Math.max(nowMs, wait.readyAtMs, latestMs),
  };
}

/** The distribution that the window is cut from, second by second; null where the window is. */
export function startShares(view: WaitInView, rule: RetryRule, nowMs: number): StartShares | null {
  const wait = withinReach(view, rule);
  const starts = startsOf(wait, rule, nowMs);
  const { lateness = ON_TIME } = wait;
  const stepAt = (atMs: number) => Math.max(0, Math.floor((atMs - wait.syncedAtMs) / STEP_MS));
  const firstStep = stepAt(nowMs);
  const total = shareStartingFrom(starts, lateness, firstStep);
  if (total < NEGLIGIBLE) return null;
  const leftAt = (share: number) => wait.syncedAtMs + quantile(starts, lateness, firstStep, total * share) * STEP_MS;
  const by = (atMs: number) => 1 - shareStartingFrom(starts, lateness, Math.max(firstStep, stepAt(atMs))) / total;
  return tabulated(Math.max(nowMs, leftAt(1 - NEGLIGIBLE)), leftAt(NEGLIGIBLE) + STEP_MS, by);
}

/** The share of all cases in which it starts within a second of `startedAtMs`: how well `wait` explains a start. */
export function shareStartingAt(view: WaitInView, rule: RetryRule, startedAtMs: number): number {
  const wait = withinReach(view, rule);
  const starts = startsOf(wait, rule, startedAtMs);
  const middle = Math.round((startedAtMs + TRUNCATION_MS - wait.syncedAtMs) / STEP_MS);
  let total = 0;
  for (let step = Math.max(0, middle - 2); step <= middle + 2; step++) total += starts[step] ?? 0;
  return total;
}

/** The share of all cases in which it had not started by `nowMs`: how well `wait` explains that it is still down. */
export function shareStillDown(view: WaitInView, rule: RetryRule, nowMs: number): number {
  const wait = withinReach(view, rule);
  const starts = startsOf(wait, rule, nowMs);
  const firstStep = Math.max(0, Math.floor((nowMs - wait.syncedAtMs) / STEP_MS));
  return shareStartingFrom(starts, wait.lateness ?? ON_TIME, firstStep);
}

/** No kubelet waits for longer than 5m: of what a file or a flag makes up, no more than this is followed sync by sync. */
const LONGEST_FOLLOWED_MS = 3_600_000;

/** The same wait, from a later sync if the known one is too far back to tell when the last syncs are. */
function withinReach(view: WaitInView, rule: RetryRule): WaitInView {
  const wait = { ...view, plannedAtMs: Math.min(view.plannedAtMs, view.readyAtMs + LONGEST_FOLLOWED_MS) };
  const syncedAtMs = wait.readyAtMs - LONGEST_FOLLOWED_MS;
  if (syncedAtMs <= wait.syncedAtMs) return wait;
  const spreadMs = Math.min(longestLatenessMs(rule, LONGEST_FOLLOWED_MS) * 2, LONGEST_FOLLOWED_MS / 2);
  const isQuietAfter = wait.noSyncUntilMs !== null && wait.noSyncUntilMs > syncedAtMs;
  return { ...wait, syncedAtMs, spreadMs, noSyncUntilMs: isQuietAfter ? wait.noSyncUntilMs : null };
}

/** The share that starts in this step or later: on time, or late by what is left until then. */
function shareStartingFrom(starts: Float64Array, lateness: Lateness, step: number): number {
  let share = 0;
  for (let at = Math.max(0, step - lateness.length + 1); at < starts.length; at++)
    share += (starts[at] ?? 0) * (at < step ? (lateness[step - at] ?? 0) : 1);
  return share;
}

/** The first step after which no more than this share is left to start (found by halving). */
function quantile(starts: Float64Array, lateness: Lateness, from: number, left: number): number {
  let low = from;
  let high = starts.length + lateness.length;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (shareStartingFrom(starts, lateness, middle + 1) <= left) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The distribution of the start, in steps since the known sync. */
function startsOf(wait: WaitInView, rule: RetryRule, nowMs: number): Float64Array {
  const { readyAtMs, plannedAtMs, siblingsPlannedAtMs, syncedAtMs, spreadMs, noSyncUntilMs } = wait;
  const quietUntilMs = noSyncUntilMs === null ? syncedAtMs : Math.min(noSyncUntilMs, nowMs);
  const seen = {
    readyMs: readyAtMs - syncedAtMs,
    plannedMs: plannedAtMs - syncedAtMs,
    siblingsPlannedMs: siblingsPlannedAtMs.map((plannedAtMs) => plannedAtMs - syncedAtMs),
    spreadMs,
    quietUntilStep: Math.floor((quietUntilMs - syncedAtMs) / STEP_MS),
  };
  return startDistribution(seen, rule);
}
