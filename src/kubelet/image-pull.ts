import { type Curve, delayAtStep } from "../backoff/curve.ts";
import { parseGoDuration } from "./go-duration.ts";

/**
 * The back-off of image pulls, of its own and untouched by the gates of the container back-off: `MaxImageBackOff` and
 * `imageBackOffPeriod`, pkg/kubelet/kubelet.go, v1.34.4 and v1.37.1.
 */
const IMAGE_PULL_CURVE: Curve = { initialMs: 10_000, maxMs: 300_000 };

/** The delay after the n-th failed pull in a row (n ≥ 1). */
export function delayAfterPulls(failedPulls: number): number {
  return delayAtStep(Math.max(failedPulls - 1, 0), IMAGE_PULL_CURVE);
}

/**
 * How long a pull took with the pulls that it waited for, as the event Pulled has it: `Successfully pulled image "x" in 1.2s
 * (3.4s including waiting).` (pkg/kubelet/images/image_manager.go, v1.34.4; before v1.27 without the brackets). Null if it says
 * nothing of that, because the image was there already.
 */
export function pullTookMs(message: string): number | null {
  const took = /Successfully pulled image .* in ([\w.]+?)(?: \(([\w.]+) including waiting\))?(?:[.\s]|$)/.exec(message);
  return parseGoDuration(took?.[2] ?? took?.[1] ?? "");
}
