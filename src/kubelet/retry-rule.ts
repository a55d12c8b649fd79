/** The kubelet's plan for a pod's next sync after a sync that failed because of the back-off. Jitter comes on top. */
export type RetryRule =
  /** v1.34 and older: after 10 s, however long the wait is. */
  | { readonly kind: "every-10s" }
  /** Since v1.35 (kubernetes/kubernetes#133066): after the rest of the wait or `resyncMs`, whichever is shorter. */
  | { readonly kind: "at-expiry"; readonly resyncMs: number };

/** `backOffPeriod`, pkg/kubelet/kubelet.go, v1.34.4. */
const BACK_OFF_PERIOD_MS = 10_000;
/** `workerBackOffPeriodJitterFactor`, pkg/kubelet/pod_workers.go, v1.34.4. The jitter is evenly distributed. */
const JITTER_FACTOR = 0.5;
/** The sync loop looks for due pods once a second (`syncLoop`, pkg/kubelet/kubelet.go, v1.34.4). */
export const TICK_MS = 1_000;

/**
 * Mirrors how `completeWork` (pkg/kubelet/pod_workers.go, v1.34.4 and v1.37.1) plans the sync after a back-off. Returns
 * the bounds of the time to that sync, without the sync loop's tick. `remainingMs`: the pod's shortest remaining wait.
 */
export function nextSyncAfterMs(rule: RetryRule, remainingMs: number): readonly [number, number] {
  const least = rule.kind === "every-10s" ? BACK_OFF_PERIOD_MS : Math.min(Math.max(remainingMs, 0), rule.resyncMs);
  return [least, least * (1 + JITTER_FACTOR)];
}

/** Kubelets since v1.35 can retry like this, too, e.g. after a failure to create a container. */
export const FLAT_RETRY: RetryRule = { kind: "every-10s" };

/** Estimates the mean time from the end of a wait to the sync that starts the container. */
export function usualLatenessMs(rule: RetryRule, waitMs: number): number {
  const [leastMs, mostMs] = nextSyncAfterMs(rule, waitMs);
  const firstSyncMs = (leastMs + mostMs + TICK_MS) / 2;
  if (rule.kind === "every-10s") return waitMs < leastMs ? firstSyncMs - waitMs : firstSyncMs / 2;
  return (mostMs - leastMs + TICK_MS) / 2;
}

/** Estimates the maximum time from the end of a wait to the sync that starts the container. */
export function longestLatenessMs(rule: RetryRule, waitMs: number): number {
  if (rule.kind === "every-10s") return BACK_OFF_PERIOD_MS * (1 + JITTER_FACTOR) + TICK_MS;
  return Math.min(Math.max(waitMs, 0), rule.resyncMs) * JITTER_FACTOR + TICK_MS;
}

/** `genericPlegRelistPeriod`, pkg/kubelet/kubelet.go, v1.37.1: the period for listing the runtime's containers. */
export const RELIST_MS = 1_000;
