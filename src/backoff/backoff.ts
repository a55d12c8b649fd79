/**
 * client-go's `flowcontrol.Backoff` (v0.37.1, same in v0.34.4) as pure functions:
 * https://github.com/kubernetes/client-go/blob/v0.37.1/util/flowcontrol/backoff.go
 *
 * Go counts whole nanoseconds, so durations are rounded to nanoseconds before they are compared.
 */

/** Mirrors client-go's `backoffEntry`. */
export interface BackoffEntry {
  readonly delayMs: number;
  readonly lastUpdateMs: number;
}

export interface BackoffPolicy {
  readonly initialMs: number;
  readonly maxMs: number;
  /** Default: 2 × `maxMs`, as in client-go. */
  readonly resetAfterMs?: number;
  /** Default: 0 (no jitter). With a factor above 0, `next` needs `random`. */
  readonly maxJitterFactor?: number;
}

/** Returns a number in [0, 1), like Go's `rand.Float64`. */
export type RandomSource = () => number;

/** Mirrors `Backoff.Next`. As in client-go, jitter can lift the first delay above the maximum. */
export function next(
  entry: BackoffEntry | undefined,
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

/** Mirrors `Backoff.IsInBackOffSince`, which the kubelet calls for containers. */
export function isInBackOffSince(
  entry: BackoffEntry | undefined,
  eventMs: number,
  nowMs: number,
  policy: BackoffPolicy,
): boolean {
  if (entry === undefined || hasExpired(entry, eventMs, policy)) return false;
  return toNs(nowMs - eventMs) < toNs(entry.delayMs);
}

/** Mirrors `Backoff.IsInBackOffSinceUpdate`, which the kubelet calls for image pulls. */
export function isInBackOffSinceUpdate(
  entry: BackoffEntry | undefined,
  eventMs: number,
  policy: BackoffPolicy,
): boolean {
  if (entry === undefined || hasExpired(entry, eventMs, policy)) return false;
  return toNs(eventMs - entry.lastUpdateMs) < toNs(entry.delayMs);
}

/** Mirrors `Backoff.hasExpired`. An entry whose age is exactly the reset time has not expired. */
export function hasExpired(entry: BackoffEntry, eventMs: number, policy: BackoffPolicy): boolean {
  return toNs(eventMs - entry.lastUpdateMs) > toNs(policy.resetAfterMs ?? policy.maxMs * 2);
}

/** Mirrors `Backoff.jitter`, with Go's truncation to a whole nanosecond. */
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
