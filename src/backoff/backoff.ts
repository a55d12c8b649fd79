/**
 * client-go's `flowcontrol.Backoff` as pure functions. Everything here mirrors client-go v0.37.1 (same in v0.34.4):
 * https://github.com/kubernetes/client-go/blob/v0.37.1/util/flowcontrol/backoff.go
 *
 * Go counts whole nanoseconds, so durations are rounded to nanoseconds before they are compared. Instants are in ms
 * from any origin. As floating-point numbers, today's epoch milliseconds are exact to about 0.2 µs.
 */

/** The record that client-go keeps for one key. The kubelet has one key per container. */
export interface BackoffEntry {
  readonly delayMs: number;
  readonly lastUpdateMs: number;
}

export interface BackoffPolicy {
  readonly initialMs: number;
  readonly maxMs: number;
  /**
   * A record expires if the next event comes more than this after the record's last update. Default: 2 × `maxMs`, as in
   * client-go.
   */
  readonly resetAfterMs?: number;
  /** If undefined, zero or negative, there is no jitter, and `next` needs no `random`. */
  readonly maxJitterFactor?: number;
}

/** Returns a number in [0, 1), like `rand.Float64`. */
export type RandomSource = () => number;

/** Undefined if client-go has no record for the key; then there is no delay. */
export type MaybeEntry = BackoffEntry | undefined;

/**
 * Mirrors `Backoff.Next`: returns the record after a failure at `eventMs`: twice the delay of `entry`, at most `maxMs`,
 * updated at `nowMs`. If `entry` is undefined or has expired, the delay is the initial one; as in client-go, jitter can
 * lift this first delay above the maximum. Throws an Error if the policy has jitter and `random` is missing.
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
 * Mirrors `Backoff.IsInBackOffSince`: whether less than the delay has passed from `eventMs` to `nowMs`. False if
 * `entry` is undefined or has expired at `eventMs`. Strictly less: at the exact end of the delay the back-off is over.
 * The kubelet calls it for containers.
 */
export function isInBackOffSince(entry: MaybeEntry, eventMs: number, nowMs: number, policy: BackoffPolicy): boolean {
  if (entry === undefined || hasExpired(entry, eventMs, policy)) return false;
  return toNs(nowMs - eventMs) < toNs(entry.delayMs);
}

/**
 * Mirrors `Backoff.IsInBackOffSinceUpdate`: whether less than the delay has passed from the record's last update to
 * `eventMs`. False if `entry` is undefined or has expired at `eventMs`. Strictly less: at the exact end of the delay
 * the back-off is over. The kubelet calls it for image pulls.
 */
export function isInBackOffSinceUpdate(entry: MaybeEntry, eventMs: number, policy: BackoffPolicy): boolean {
  if (entry === undefined || hasExpired(entry, eventMs, policy)) return false;
  return toNs(eventMs - entry.lastUpdateMs) < toNs(entry.delayMs);
}

/**
 * Mirrors `Backoff.hasExpired`: whether `eventMs` is more than `resetAfterMs` after the last update of `entry`.
 * Strictly greater: at exactly `resetAfterMs` the record has not expired yet.
 */
export function hasExpired(entry: BackoffEntry, eventMs: number, policy: BackoffPolicy): boolean {
  return toNs(eventMs - entry.lastUpdateMs) > toNs(policy.resetAfterMs ?? policy.maxMs * 2);
}

/** Mirrors `Backoff.jitter`. Truncates to a whole nanosecond, as Go's conversion to time.Duration does. */
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
