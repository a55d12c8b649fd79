import type { Wait } from "./do-backoff.ts";
import { HOUR_MS, SECOND_MS } from "./go-duration.ts";
import { longestLatenessMs, nextSyncAfterMs, RELIST_MS, type RetryRule, TICK_MS } from "./retry-rule.ts";
import { type Lateness, STEP_MS, StartDistribution } from "./start-distribution.ts";

export interface KnownSyncs {
  /** A sync happened at this instant or up to `spreadMs` later. */
  readonly syncedAtMs: number;
  readonly spreadMs: number;
  /** After that sync, no other sync happened before this instant; null if unknown. */
  readonly noSyncUntilMs: number | null;
  /** Ends of the delays of other containers in the pod. */
  readonly siblingsPlannedAtMs: readonly number[];
  readonly lateness?: readonly Lateness[];
}

export function syncAtExit(finishedAtMs: number): KnownSyncs {
  const spreadMs = SECOND_MS + RELIST_MS;
  return { syncedAtMs: finishedAtMs, spreadMs, noSyncUntilMs: null, siblingsPlannedAtMs: [] };
}

type EndOfWait = Pick<Wait, "readyAtMs" | "plannedAtMs">;
type WaitInView = EndOfWait & KnownSyncs;

/** The API truncates instants to a second, so the true instant is half a second later on average. */
export const TRUNCATION_MS = 500;
/**
 * The errors of a difference between two instants that the API has truncated. The shares are fitted to recorded
 * restarts after kills.
 */
export const TRUNCATION_ERRORS = [
  { errorMs: -1_000, share: 0.25 },
  { errorMs: 0, share: 0.5 },
  { errorMs: 1_000, share: 0.25 },
] as const;
/**
 * The shares of the starts whose `startedAt` is 0, 1, 2 and 3 half seconds after the sync (image check, create, start).
 * Measured on v1.34.4 and v1.37.1: 0.1–2 s.
 */
export const START_LATENCY = [0.45, 0.3, 0.15, 0.1] as const;

/** Returns the distribution of the start that follows the kubelet's first sync after `readyAtMs`. */
export function startsAfter(
  { readyAtMs, plannedAtMs }: EndOfWait,
  syncs: KnownSyncs,
  rule: RetryRule,
): StartDistribution {
  const onTime = onTimeStarts(withinReach({ ...syncs, readyAtMs, plannedAtMs }, rule), rule);
  return (syncs.lateness ?? []).reduce((starts, one) => starts.laterBy(one), onTime);
}

const computed = new Map<string, StartDistribution>();
const MOST_COMPUTED = 500;

function onTimeStarts(wait: WaitInView, rule: RetryRule): StartDistribution {
  const fromMs = wait.syncedAtMs - (wait.syncedAtMs % STEP_MS);
  const { syncedAtMs, readyAtMs, plannedAtMs, noSyncUntilMs, siblingsPlannedAtMs } = wait;
  const instants = [syncedAtMs, readyAtMs, plannedAtMs, noSyncUntilMs ?? Number.NaN, ...siblingsPlannedAtMs];
  const relative = instants.map((atMs) => atMs - fromMs).join(" ");
  const key = `${rule.kind === "every-10s" ? rule.kind : rule.resyncMs} ${wait.spreadMs} ${relative}`;
  const known = computed.get(key);
  if (known !== undefined) return known.later(fromMs);
  const starts = StartDistribution.of(syncedAtMs, sharesOfStarts(wait, rule));
  if (computed.size >= MOST_COMPUTED) computed.clear();
  computed.set(key, starts.later(-fromMs));
  return starts;
}

/** Bounds the computation in case the input holds a wrong instant. A back-off delay is at most 5m. */
const LONGEST_FOLLOWED_MS = HOUR_MS;

/** If the known sync is too old, an assumed sync replaces it. */
function withinReach(view: WaitInView, rule: RetryRule): WaitInView {
  const wait = { ...view, plannedAtMs: Math.min(view.plannedAtMs, view.readyAtMs + LONGEST_FOLLOWED_MS) };
  const syncedAtMs = wait.readyAtMs - LONGEST_FOLLOWED_MS;
  if (syncedAtMs <= wait.syncedAtMs) return wait;
  const spreadMs = Math.min(longestLatenessMs(rule, LONGEST_FOLLOWED_MS) * 2, LONGEST_FOLLOWED_MS / 2);
  const isQuietAfter = wait.noSyncUntilMs !== null && wait.noSyncUntilMs > syncedAtMs;
  return { ...wait, syncedAtMs, spreadMs, noSyncUntilMs: isQuietAfter ? wait.noSyncUntilMs : null };
}

/**
 * Each sync that does not start the container spreads its probability evenly over the steps in which the next sync can
 * come. `changes` is a difference array: the sum of its values up to a step is the probability of a sync in that step.
 */
function sharesOfStarts(wait: WaitInView, rule: RetryRule): Float64Array {
  const { syncedAtMs, spreadMs, readyAtMs, noSyncUntilMs } = wait;
  const steps = stepsUntilStarted(wait, rule);
  const [changes, starts] = [new Float64Array(steps), new Float64Array(steps)];
  const spreadSteps = Math.max(1, Math.round(spreadMs / STEP_MS));
  const quietUntilStep = Math.floor(((noSyncUntilMs ?? syncedAtMs) - syncedAtMs) / STEP_MS);
  addRange(changes, 0, spreadSteps, 1);
  let share = 0;
  for (let step = 0; step < steps; step++) {
    share += changes[step] ?? 0;
    if (share < 1e-12) continue;
    if (syncedAtMs + step * STEP_MS >= readyAtMs + TRUNCATION_MS) {
      addStart(starts, step, share);
      continue;
    }
    const [from, to] = nextSyncSteps(step, wait, rule);
    const quietUntil = step < spreadSteps ? quietUntilStep : 0;
    addRange(changes, quietUntil < to ? Math.max(from, quietUntil) : from, to, share);
  }
  return starts;
}

function stepsUntilStarted({ syncedAtMs, spreadMs, readyAtMs, plannedAtMs }: WaitInView, rule: RetryRule): number {
  const waitMs = Math.max(plannedAtMs - syncedAtMs, readyAtMs - syncedAtMs, spreadMs) + TRUNCATION_MS;
  return Math.ceil((waitMs + longestLatenessMs(rule, waitMs)) / STEP_MS) + START_LATENCY.length + 2;
}

function addRange(changes: Float64Array, from: number, to: number, share: number): void {
  const each = share / (to - from);
  if (from < changes.length) changes[from] = (changes[from] ?? 0) + each;
  if (to < changes.length) changes[to] = (changes[to] ?? 0) - each;
}

function addStart(starts: Float64Array, step: number, share: number): void {
  for (const [latency, shareOfLatency] of START_LATENCY.entries()) {
    const at = step + latency;
    if (at < starts.length) starts[at] = (starts[at] ?? 0) + share * shareOfLatency;
  }
}

function nextSyncSteps(step: number, wait: WaitInView, rule: RetryRule): readonly [number, number] {
  const atMs = wait.syncedAtMs + step * STEP_MS;
  let remainingMs = wait.plannedAtMs + TRUNCATION_MS - atMs;
  for (const siblingAtMs of wait.siblingsPlannedAtMs) {
    if (siblingAtMs > atMs && siblingAtMs - atMs < remainingMs) remainingMs = siblingAtMs - atMs;
  }
  const [leastMs, mostMs] = nextSyncAfterMs(rule, remainingMs);
  return [
    step + Math.max(1, Math.round(leastMs / STEP_MS)),
    step + Math.max(2, Math.round((mostMs + TICK_MS) / STEP_MS)),
  ];
}
