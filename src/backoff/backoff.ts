/**
 * What client-go's `flowcontrol.Backoff` decides, as functions of values. All of it mirrors client-go v0.37.1
 * (same in v0.34.4): https://github.com/kubernetes/client-go/blob/v0.37.1/util/flowcontrol/backoff.go
 *
 * Go counts whole nanoseconds, so differences are rounded to them before they are compared. Instants may count from any
 * origin: near 1970 fractions are exact to the nanosecond, today's epoch milliseconds to about 0.2 µs.
 */

/** What is remembered of a key: the delay in force, and when it was last moved on. */
export interface BackoffEntry {
  readonly delayMs: number;
  readonly lastUpdateMs: number;
}

/** The curve: where it begins, where it ends, and how long a key must be quiet for it to begin again. */
export interface BackoffPolicy {
  readonly initialMs: number;
  readonly maxMs: number;
  /** A `HasExpiredFunc` of eventTime − lastUpdate > this; absent: client-go's own 2·max. */
  readonly resetAfterMs?: number;
  /** Absent, zero or less: no jitter, and no random number is drawn. */
  readonly maxJitterFactor?: number;
}

/** Yields a number in [0, 1), as `rand.Float64` does. */
export type RandomSource = () => number;

/** An entry, or its absence: no entry means no delay. */
export type MaybeEntry = BackoffEntry | undefined;

/**
 * Mirrors `Backoff.Next`: the entry after one more failure. `eventMs` (when it failed) decides whether the old entry still
 * counts; `nowMs` (when that is asked) becomes `lastUpdateMs`. The first delay gets its jitter on top and is not capped by
 * the maximum. Throws if the policy has jitter and `random` is missing.
 */
export function next(
  entry: MaybeEntry,
  eventMs: number,
  nowMs: number,
  policy: BackoffPolicy,
  random?: RandomSource,
): BackoffEntry {
  if (entry === undefined || hasExpired(entry, eventMs, policy)) {
    const initialNs = toNs(policy.initialMs);
    return { delayMs: toMs(initialNs + jitterNs(initialNs, policy, random)), lastUpdateMs: nowMs };
  }
  const delayNs = toNs(entry.delayMs);
  const grownNs = delayNs * 2 + jitterNs(delayNs, policy, random);
  return { delayMs: toMs(Math.min(grownNs, toNs(policy.maxMs))), lastUpdateMs: nowMs };
}

/**
 * Mirrors `Backoff.IsInBackOffSince`: whether the delay that counts from `eventMs` still runs at `nowMs`. Strictly less:
 * at the very end of the delay it is over. The kubelet asks this about containers.
 */
export function isInBackOffSince(entry: MaybeEntry, eventMs: number, nowMs: number, policy: BackoffPolicy): boolean {
  if (entry === undefined || hasExpired(entry, eventMs, policy)) return false;
  return toNs(nowMs - eventMs) < toNs(entry.delayMs);
}

/**
 * Mirrors `Backoff.IsInBackOffSinceUpdate`: whether at `eventMs` the delay that counts from the entry's last update still
 * runs, strictly. The kubelet asks this about image pulls.
 */
export function isInBackOffSinceUpdate(entry: MaybeEntry, eventMs: number, policy: BackoffPolicy): boolean {
  if (entry === undefined || hasExpired(entry, eventMs, policy)) return false;
  return toNs(eventMs - entry.lastUpdateMs) < toNs(entry.delayMs);
}

/**
 * Mirrors `Backoff.hasExpired`: whether at `eventMs` the entry no longer counts. Strictly greater: an event at the
 * boundary itself keeps the sequence.
 */
export function hasExpired(entry: BackoffEntry, eventMs: number, policy: BackoffPolicy): boolean {
  return toNs(eventMs - entry.lastUpdateMs) > toNs(policy.resetAfterMs ?? policy.maxMs * 2);
}

/** Mirrors `Backoff.jitter`: like Go's conversion to time.Duration it truncates to a whole nanosecond. */
function jitterNs(delayNs: number, policy: BackoffPolicy, random: RandomSource | undefined): number {
  const factor = policy.maxJitterFactor ?? 0;
  if (factor <= 0) return 0;
  if (random === undefined) throw new Error("A policy with jitter needs a source of random numbers.");
  return Math.trunc(random() * factor * delayNs);
}

function toNs(durationMs: number): number {
  return Math.round(durationMs * 1e6);
}

function toMs(durationNs: number): number {
  return durationNs / 1e6;
}
