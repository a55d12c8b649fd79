import { type KnownSyncs, longestLatenessMs, type RetryRule, TICK_MS } from "./retry-rule.ts";
import { STEP_MS, startDistribution, TRUNCATION_MS } from "./start-distribution.ts";
import { type Lateness, ON_TIME } from "./start-lateness.ts";
import { type StartShares, tabulated } from "./start-shares.ts";

export interface WaitInView extends KnownSyncs {
  /** The first sync at or after this instant starts the next instance. */
  readonly readyAtMs: number;
  /** The end of the delay, from which the kubelet plans its syncs. */
  readonly plannedAtMs: number;
  /** The ends of the delays of the pod's other containers. Since v1.35, the nearest end decides the pod's next sync. */
  readonly siblingsPlannedAtMs: readonly number[];
  /** How late starts on this node are. If undefined, they are on time. */
  readonly lateness?: Lateness;
}

interface RestartWindow {
  readonly notBeforeMs: number;
  readonly likelyByMs: number;
}

/** If the probability that a wait lasts so long is smaller than this, the retry rule does not explain the wait. */
const NEGLIGIBLE = 1e-6;

/**
 * Returns when the next start is expected, given that there was none before `nowMs`: never before `notBeforeMs`, and
 * with probability `confidence` by `likelyByMs`. Null if, by the retry rule, the start must have come before `nowMs`.
 */
export function restartWindow(
  view: WaitInView,
  rule: RetryRule,
  nowMs: number,
  confidence: number,
): RestartWindow | null {
  const starts = startsOf(view, rule, nowMs);
  const total = shareFrom(starts, starts.nowStep);
  if (total < NEGLIGIBLE) return null;
  const earliestMs = Math.floor((instantLeaving(starts, total * 0.999) - TICK_MS) / 1000) * 1000;
  const latestMs = Math.ceil((instantLeaving(starts, total * (1 - confidence)) + STEP_MS) / 1000) * 1000;
  return {
    notBeforeMs: Math.max(nowMs, view.readyAtMs, earliestMs),
    likelyByMs: Math.max(nowMs, view.readyAtMs, latestMs),
  };
}

/** Returns the distribution behind {@link restartWindow}. Null if the start must have come before `nowMs`. */
export function startShares(view: WaitInView, rule: RetryRule, nowMs: number): StartShares | null {
  const starts = startsOf(view, rule, nowMs);
  const total = shareFrom(starts, starts.nowStep);
  if (total < NEGLIGIBLE) return null;
  const leftAt = (share: number) => instantLeaving(starts, total * share);
  const by = (atMs: number) => 1 - shareFrom(starts, Math.max(starts.nowStep, stepAt(starts, atMs))) / total;
  return tabulated(Math.max(nowMs, leftAt(1 - NEGLIGIBLE)), leftAt(NEGLIGIBLE) + STEP_MS, by);
}

/** Returns the probability of a start within about a second of `startedAtMs`, on a node without late starts. */
export function shareStartingAt(view: WaitInView, rule: RetryRule, startedAtMs: number): number {
  const { onTime, syncedAtMs } = startsOf(view, rule, startedAtMs);
  const middle = Math.round((startedAtMs + TRUNCATION_MS - syncedAtMs) / STEP_MS);
  return onTime.subarray(Math.max(0, middle - 2), Math.max(0, middle + 3)).reduce((sum, share) => sum + share, 0);
}

/** Returns the probability that the next start does not come before `nowMs`. */
export function shareStillDown(view: WaitInView, rule: RetryRule, nowMs: number): number {
  const starts = startsOf(view, rule, nowMs);
  return shareFrom(starts, starts.nowStep);
}

interface Starts {
  readonly syncedAtMs: number;
  readonly nowStep: number;
  /** The probability of a start in each step, on a node without late starts. */
  readonly onTime: Float64Array;
  readonly lateness: Lateness;
}

function startsOf(view: WaitInView, rule: RetryRule, nowMs: number): Starts {
  const wait = withinReach(view, rule);
  const { readyAtMs, plannedAtMs, siblingsPlannedAtMs, syncedAtMs, spreadMs, noSyncUntilMs } = wait;
  const quietUntilMs = noSyncUntilMs === null ? syncedAtMs : Math.min(noSyncUntilMs, nowMs);
  const synced = {
    readyMs: readyAtMs - syncedAtMs,
    plannedMs: plannedAtMs - syncedAtMs,
    siblingsPlannedMs: siblingsPlannedAtMs.map((endMs) => endMs - syncedAtMs),
    spreadMs,
    quietUntilStep: Math.floor((quietUntilMs - syncedAtMs) / STEP_MS),
  };
  const onTime = startDistribution(synced, rule);
  return { syncedAtMs, nowStep: stepAt(wait, nowMs), onTime, lateness: wait.lateness ?? ON_TIME };
}

/** The longest wait whose syncs are followed one by one. Kubelets wait up to 5m; only a file or a flag can set more. */
const LONGEST_FOLLOWED_MS = 3_600_000;

/** Replaces a known sync long before the end of the wait with an assumed later one: only the last syncs matter. */
function withinReach(view: WaitInView, rule: RetryRule): WaitInView {
  const wait = { ...view, plannedAtMs: Math.min(view.plannedAtMs, view.readyAtMs + LONGEST_FOLLOWED_MS) };
  const syncedAtMs = wait.readyAtMs - LONGEST_FOLLOWED_MS;
  if (syncedAtMs <= wait.syncedAtMs) return wait;
  const spreadMs = Math.min(longestLatenessMs(rule, LONGEST_FOLLOWED_MS) * 2, LONGEST_FOLLOWED_MS / 2);
  const isQuietAfter = wait.noSyncUntilMs !== null && wait.noSyncUntilMs > syncedAtMs;
  return { ...wait, syncedAtMs, spreadMs, noSyncUntilMs: isQuietAfter ? wait.noSyncUntilMs : null };
}

function stepAt({ syncedAtMs }: Pick<Starts, "syncedAtMs">, atMs: number): number {
  return Math.max(0, Math.floor((atMs - syncedAtMs) / STEP_MS));
}

function shareFrom({ onTime, lateness }: Starts, step: number): number {
  let share = 0;
  for (let at = Math.max(0, step - lateness.length + 1); at < onTime.length; at++)
    share += (onTime[at] ?? 0) * (at < step ? (lateness[step - at] ?? 0) : 1);
  return share;
}

/** Returns the beginning of the earliest step after which a start has at most the probability `left`. */
function instantLeaving(starts: Starts, left: number): number {
  let low = starts.nowStep;
  let high = starts.onTime.length + starts.lateness.length;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (shareFrom(starts, middle + 1) <= left) high = middle;
    else low = middle + 1;
  }
  return starts.syncedAtMs + low * STEP_MS;
}
