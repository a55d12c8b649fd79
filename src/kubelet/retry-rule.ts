/** When the kubelet syncs a pod again after a sync that started no container because of the back-off. */
export type RetryRule =
  /** v1.34 and older: after 10 to 15 s, however long the wait is. */
  | { readonly kind: "every-10s" }
  /**
   * Since v1.35 (kubernetes/kubernetes#133066): after the rest of the wait or after `resyncMs`, whichever is shorter.
   * The kubelet adds a random time of up to half as long.
   */
  | { readonly kind: "at-expiry"; readonly resyncMs: number };

/** `backOffPeriod`, pkg/kubelet/kubelet.go, v1.34.4. */
const BACK_OFF_PERIOD_MS = 10_000;
/**
 * `workerBackOffPeriodJitterFactor`, pkg/kubelet/pod_workers.go, v1.34.4: to the time until the next sync, the kubelet
 * adds up to half of it, evenly distributed.
 */
const JITTER_FACTOR = 0.5;
/** The kubelet's sync loop picks up due pods once a second (`syncLoop`, pkg/kubelet/kubelet.go, v1.34.4). */
export const TICK_MS = 1_000;

/**
 * Mirrors `completeWork` (pkg/kubelet/pod_workers.go, v1.34.4 and v1.37.1). Returns the bounds of the time to the next
 * sync, which is evenly distributed, without the sync loop's tick. `remainingMs` is the shortest remaining wait of the
 * pod's containers.
 */
export function nextSyncAfterMs(rule: RetryRule, remainingMs: number): readonly [number, number] {
  const least = rule.kind === "every-10s" ? BACK_OFF_PERIOD_MS : Math.min(Math.max(remainingMs, 0), rule.resyncMs);
  return [least, least * (1 + JITTER_FACTOR)];
}

/** In all versions, the kubelet retries like this after most failures without back-off, such as a missing ConfigMap. */
export const FLAT_RETRY: RetryRule = { kind: "every-10s" };

/** Estimates the mean time from the end of a wait to the sync that starts the container. */
export function usualLatenessMs(rule: RetryRule, waitMs: number): number {
  const [leastMs, mostMs] = nextSyncAfterMs(rule, waitMs);
  const firstSyncMs = (leastMs + mostMs + TICK_MS) / 2;
  if (rule.kind === "every-10s") return waitMs < leastMs ? firstSyncMs - waitMs : firstSyncMs / 2;
  return (mostMs - leastMs + TICK_MS) / 2;
}

/** Returns the maximum time from the end of a wait to the sync that starts the container, with the sync loop's tick. */
export function longestLatenessMs(rule: RetryRule, waitMs: number): number {
  if (rule.kind === "every-10s") return BACK_OFF_PERIOD_MS * (1 + JITTER_FACTOR) + TICK_MS;
  return Math.min(Math.max(waitMs, 0), rule.resyncMs) * JITTER_FACTOR + TICK_MS;
}

/**
 * The kubelet relists the runtime's containers once a second (`genericPlegRelistPeriod`, pkg/kubelet/kubelet.go,
 * v1.37.1).
 */
export const RELIST_MS = 1_000;
