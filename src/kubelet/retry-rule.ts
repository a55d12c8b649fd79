/** A sync of a pod in back-off starts no container. The rule says when the kubelet syncs the pod again. */
export type RetryRule =
  /** v1.34 and older: 10 to 15 s later, however long the rest of the wait is. */
  | { readonly kind: "every-10s" }
  /** Since v1.35 (kubernetes/kubernetes#133066): after the rest of the wait, at most after the resync interval. */
  | { readonly kind: "at-expiry"; readonly resyncMs: number };

/** `backOffPeriod`, pkg/kubelet/kubelet.go, v1.34.4. */
const BACK_OFF_PERIOD_MS = 10_000;
/** `workerBackOffJitterFactor`, pkg/kubelet/pod_workers.go, v1.34.4: adds up to a half, uniformly. */
const JITTER_FACTOR = 0.5;
/** The kubelet's sync loop picks up due pods once a second (`syncLoop`, pkg/kubelet/kubelet.go, v1.34.4). */
export const TICK_MS = 1_000;

/**
 * Mirrors `completeWork` (pkg/kubelet/pod_workers.go, v1.34.4 and v1.37.1): returns the range from one sync to the next,
 * each delay in it equally likely, without the tick. `remainingMs` is the rest of the pod's shortest wait.
 */
export function nextSyncAfterMs(rule: RetryRule, remainingMs: number): readonly [number, number] {
  const least = rule.kind === "every-10s" ? BACK_OFF_PERIOD_MS : Math.min(Math.max(remainingMs, 0), rule.resyncMs);
  return [least, least * (1 + JITTER_FACTOR)];
}

/** The retry after a failure without back-off (missing ConfigMap, bad image name), on every version. */
export const FLAT_RETRY: RetryRule = { kind: "every-10s" };

/** The mean time from the end of a wait to the start. Measured medians are 3 to 7 s on every version. */
export function usualLatenessMs(rule: RetryRule, waitMs: number): number {
  const [leastMs, mostMs] = nextSyncAfterMs(rule, waitMs);
  const firstSyncMs = (leastMs + mostMs + TICK_MS) / 2;
  if (rule.kind === "every-10s") return waitMs < leastMs ? firstSyncMs - waitMs : firstSyncMs / 2;
  return (mostMs - leastMs + TICK_MS) / 2;
}

/**
 * The longest time from the end of a wait to the start, syncs and ticks included. `waitMs` is the whole wait, or its rest
 * when the kubelet planned the last sync.
 */
export function longestLatenessMs(rule: RetryRule, waitMs: number): number {
  if (rule.kind === "every-10s") return BACK_OFF_PERIOD_MS * (1 + JITTER_FACTOR) + TICK_MS;
  return Math.min(Math.max(waitMs, 0), rule.resyncMs) * JITTER_FACTOR + TICK_MS;
}

export interface KnownSyncs {
  /** A sync that is known to have happened, within `spreadMs` of this instant. */
  readonly syncedAtMs: number;
  readonly spreadMs: number;
  /** No sync happened between `syncedAtMs` and this instant; null if that is unknown. */
  readonly noSyncUntilMs: number | null;
}

/** The kubelet relists the runtime's containers about once a second (`plegRelistPeriod`, pkg/kubelet/kubelet.go, v1.37.1). */
export const RELIST_MS = 1_000;
/** Instants of the API are truncated to a second. */
export const SECOND_MS = 1_000;

/** An exit causes a sync; later syncs are unknown. */
export function syncAtExit(finishedAtMs: number): KnownSyncs {
  return { syncedAtMs: finishedAtMs, spreadMs: SECOND_MS + RELIST_MS, noSyncUntilMs: null };
}
