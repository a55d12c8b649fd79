import { nextSyncAfterMs, type RetryRule, TICK_MS } from "./retry-rule.ts";

/** A wait as the syncs it see it: instants count from the last known sync. */
interface SyncedAtWait {
  /** The first instant at which a sync starts the next instance. */
  readonly readyMs: number;
  /** The end of the delay, which the kubelet plans its syncs from. */
  readonly plannedMs: number;
  /** When the waits of the pod's other containers end. */
  readonly siblingsPlannedMs: readonly number[];
  /** How far from 0 the known sync may have been. */
  readonly spreadMs: number;
  /** After the known sync none happened before this step; 0: nothing is known of that. */
  readonly quietUntilStep: number;
}

/** How finely time is cut. Windows end on whole seconds; half of that is enough. */
export const STEP_MS = 500;
/** Instants of the API are truncated to a second: on average the true one is half a second later. */
export const TRUNCATION_MS = 500;
/** From the sync to the instance's startedAt: image check, create and start; measured on v1.34.4 and v1.37.1, 0.1–2 s. */
export const START_LATENCY = [
  { steps: 0, share: 0.45 },
  { steps: 1, share: 0.3 },
  { steps: 2, share: 0.15 },
  { steps: 3, share: 0.1 },
] as const;

/**
 * No retry rule leaves a container down for longer than this after its wait: a sync comes late by half of what was left of it
 * at most, and no delay is longer than 5 minutes.
 */
export const LATEST_MS = 160_000;

/** Distributions by what they depend on, the one that was not asked for longest first: a pod's history asks for the same again and again. */
const KNOWN = new Map<string, Float64Array>();
/** Together less than 2 MiB. */
const MOST_KNOWN = 256;
const LONGEST_KNOWN = 1_000;

/**
 * The probability of a start in each step since the known sync, under the retry rule. Nobody may change the result: it is
 * given again to whoever asks for the same.
 */
export function startDistribution(wait: SyncedAtWait, rule: RetryRule): Float64Array {
  const key = cacheKeyOf(wait, rule);
  const known = KNOWN.get(key);
  if (known !== undefined) {
    KNOWN.delete(key);
    KNOWN.set(key, known);
    return known;
  }
  const starts = followedFromSync(wait, rule);
  if (starts.length > LONGEST_KNOWN) return starts;
  if (KNOWN.size >= MOST_KNOWN) KNOWN.delete(KNOWN.keys().next().value ?? "");
  KNOWN.set(key, starts);
  return starts;
}

function cacheKeyOf(
  { readyMs, plannedMs, siblingsPlannedMs, spreadMs, quietUntilStep }: SyncedAtWait,
  rule: RetryRule,
) {
  const resyncMs = rule.kind === "at-expiry" ? rule.resyncMs : "";
  return `${rule.kind} ${resyncMs} ${readyMs} ${plannedMs} ${spreadMs} ${quietUntilStep} ${siblingsPlannedMs}`;
}

/**
 * That of a sync in a step is the sum of all `changes` up to it: a sync is followed by the next one in a range of steps, each
 * as likely, and a range is two changes.
 */
function followedFromSync(wait: SyncedAtWait, rule: RetryRule): Float64Array {
  const horizonMs = Math.max(wait.plannedMs, wait.readyMs, 0) + LATEST_MS;
  const changes = new Float64Array(Math.ceil(horizonMs / STEP_MS));
  const starts = new Float64Array(changes.length);
  const spreadSteps = Math.max(1, Math.round(wait.spreadMs / STEP_MS));
  addRange(changes, 0, spreadSteps, 1);
  let share = 0;
  for (let step = 0; step < changes.length; step++) {
    share += changes[step] ?? 0;
    if (share < 1e-12) continue;
    if (step * STEP_MS >= wait.readyMs + TRUNCATION_MS) addStart(starts, step, share);
    else planNextSync(changes, step, share, wait, rule, step < spreadSteps ? wait.quietUntilStep : 0);
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

/** Spreads a sync's share over the steps at which the next sync can come. */
function planNextSync(
  changes: Float64Array,
  step: number,
  share: number,
  wait: SyncedAtWait,
  rule: RetryRule,
  quietUntilStep: number,
): void {
  const atMs = step * STEP_MS;
  let remainingMs = wait.plannedMs + TRUNCATION_MS - atMs;
  for (const sibling of wait.siblingsPlannedMs) {
    if (sibling > atMs && sibling - atMs < remainingMs) remainingMs = sibling - atMs;
  }
  const [leastMs, mostMs] = nextSyncAfterMs(rule, remainingMs);
  const from = step + Math.max(1, Math.round(leastMs / STEP_MS));
  const to = step + Math.max(2, Math.round((mostMs + TICK_MS) / STEP_MS));
  addRange(changes, quietUntilStep < to ? Math.max(from, quietUntilStep) : from, to, share);
}
