/**
 * client-go's `flowcontrol.Backoff` as pure functions. Everything here mirrors client-go v0.37.1 (same in v0.34.4):
 * https://github.com/kubernetes/client-go/blob/v0.37.1/util/flowcontrol/backoff.go
 *
 * Go counts whole nanoseconds, so durations are rounded to nanoseconds before they are compared. Instants may count from
 * any origin: near 1970 fractions are exact to the nanosecond, today's epoch milliseconds to about 0.2 µs.
 */

/** The record of one key. `Next` sets both fields. */
export interface BackoffEntry {
  readonly delayMs: number;
  readonly lastUpdateMs: number;
}

export interface BackoffPolicy {
  readonly initialMs: number;
  readonly maxMs: number;
  /** An entry expires if eventTime − lastUpdate is greater (`HasExpiredFunc`). Default: 2·max, as in client-go. */
  readonly resetAfterMs?: number;
  /** Absent, zero or negative: no jitter, and no random number is drawn. */
  readonly maxJitterFactor?: number;
}

/** Returns a number in [0, 1), like `rand.Float64`. */
export type RandomSource = () => number;

/** Undefined means no delay. */
export type MaybeEntry = BackoffEntry | undefined;

/**
 * Mirrors `Backoff.Next`: returns the entry after one more failure. The old entry counts unless it has expired at
 * `eventMs`, the failure; `nowMs` becomes `lastUpdateMs`. As in client-go, the maximum does not limit the first delay with
 * its jitter. Throws if the policy has jitter and `random` is missing.
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
 * at the exact end of the delay the back-off is over. The kubelet calls it for containers.
 */
export function isInBackOffSince(entry: MaybeEntry, eventMs: number, nowMs: number, policy: BackoffPolicy): boolean {
  if (entry === undefined || hasExpired(entry, eventMs, policy)) return false;
  return toNs(nowMs - eventMs) < toNs(entry.delayMs);
}

/**
 * Mirrors `Backoff.IsInBackOffSinceUpdate`: whether the delay that counts from the entry's last update still runs at
 * `eventMs`. Strictly less, as above. The kubelet calls it for image pulls.
 */
export function isInBackOffSinceUpdate(entry: MaybeEntry, eventMs: number, policy: BackoffPolicy): boolean {
  if (entry === undefined || hasExpired(entry, eventMs, policy)) return false;
  return toNs(eventMs - entry.lastUpdateMs) < toNs(entry.delayMs);
}

/** Mirrors `Backoff.hasExpired`. Strictly greater: an event at the exact boundary keeps the sequence. */
export function hasExpired(entry: BackoffEntry, eventMs: number, policy: BackoffPolicy): boolean {
  return toNs(eventMs - entry.lastUpdateMs) > toNs(policy.resetAfterMs ?? policy.maxMs * 2);
}

/** Mirrors `Backoff.jitter`, which truncates to a whole nanosecond (Go's conversion to time.Duration). */
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
