import { longestLatenessMs, type RetryRule, TICK_MS } from "./retry-rule.ts";
import { STEP_MS, startDistribution, TRUNCATION_MS } from "./start-distribution.ts";
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
  const firstStep = Math.max(0, Math.floor((nowMs - wait.syncedAtMs) / STEP_MS));
  let total = 0;
  for (let step = firstStep; step < starts.length; step++) total += starts[step] ?? 0;
  if (total < NEGLIGIBLE) return null;
  const earliest = quantile(starts, firstStep, total * 0.001);
  const latest = quantile(starts, firstStep, total * confidence) + 1;
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
  const firstStep = Math.max(0, Math.floor((nowMs - wait.syncedAtMs) / STEP_MS));
  const sums = new Float64Array(starts.length);
  let total = 0;
  for (let step = firstStep; step < starts.length; step++) sums[step] = total += starts[step] ?? 0;
  if (total < NEGLIGIBLE) return null;
  const instantOf = (share: number) => wait.syncedAtMs + quantile(starts, firstStep, total * share) * STEP_MS;
  const by = (atMs: number) => (sums[Math.floor((atMs - wait.syncedAtMs) / STEP_MS) - 1] ?? 0) / total;
  return tabulated(Math.max(nowMs, instantOf(NEGLIGIBLE)), instantOf(1 - NEGLIGIBLE) + STEP_MS, by);
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
  let total = 0;
  for (let step = firstStep; step < starts.length; step++) total += starts[step] ?? 0;
  return total;
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

function quantile(starts: Float64Array, from: number, share: number): number {
  let sum = 0;
  for (let step = from; step < starts.length; step++) {
    sum += starts[step] ?? 0;
    if (sum >= share) return step;
  }
  return starts.length;
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
