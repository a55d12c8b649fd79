import type { BackoffPolicy } from "../backoff/backoff.ts";

/**
 * The back-off of image pulls, of its own and untouched by the gates of the container back-off: `MaxImageBackOff` and
 * `imageBackOffPeriod`, pkg/kubelet/kubelet.go, v1.34.4 and v1.37.1; client-go's own expiry of twice the maximum.
 */
export const IMAGE_PULL_POLICY: BackoffPolicy = { initialMs: 10_000, maxMs: 300_000 };

/** The delay after the n-th failed pull in a row (n ≥ 1). */
export function delayAfterPulls(failedPulls: number): number {
  const doublings = Math.min(Math.max(failedPulls - 1, 0), 32);
  return Math.min(IMAGE_PULL_POLICY.initialMs * 2 ** doublings, IMAGE_PULL_POLICY.maxMs);
}
