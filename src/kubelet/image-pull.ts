import { type Curve, delayAtStep } from "../backoff/curve.ts";

/**
 * The back-off of image pulls, of its own and untouched by the gates of the container back-off: `MaxImageBackOff` and
 * `imageBackOffPeriod`, pkg/kubelet/kubelet.go, v1.34.4 and v1.37.1.
 */
const IMAGE_PULL_CURVE: Curve = { initialMs: 10_000, maxMs: 300_000 };

/** The delay after the n-th failed pull in a row (n ≥ 1). */
export function delayAfterPulls(failedPulls: number): number {
  return delayAtStep(Math.max(failedPulls - 1, 0), IMAGE_PULL_CURVE);
}
