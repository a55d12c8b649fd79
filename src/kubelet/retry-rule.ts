/** How a kubelet comes back to a pod after a sync that ended in back-off. */
export type RetryRule =
  /** Up to v1.34: again and again, whatever remains of the wait. */
  | { readonly kind: "every-10s" }
  /** Since v1.35 (kubernetes/kubernetes#133066): from what remains of the wait, at most the resync interval. */
  | { readonly kind: "at-expiry"; readonly resyncMs: number };

/** `backOffPeriod`, pkg/kubelet/kubelet.go, v1.34.4. */
const BACK_OFF_PERIOD_MS = 10_000;
/** `workerBackOffJitterFactor`, pkg/kubelet/pod_workers.go, v1.34.4: up to half as long again, uniformly. */
const JITTER_FACTOR = 0.5;
/** The kubelet's sync loop takes due pods once a second (`syncLoop`, pkg/kubelet/kubelet.go, v1.34.4). */
export const TICK_MS = 1_000;

/**
 * When the sync after this one comes, as a delay from this one without the tick: uniform between the two (mirrors
 * `completeWork`, pkg/kubelet/pod_workers.go, v1.34.4 and v1.37.1). `remainingMs` is what is left of the pod's shortest wait.
 */
export function nextSyncAfterMs(rule: RetryRule, remainingMs: number): readonly [number, number] {
  const least = rule.kind === "every-10s" ? BACK_OFF_PERIOD_MS : Math.min(Math.max(remainingMs, 0), rule.resyncMs);
  return [least, least * (1 + JITTER_FACTOR)];
}

/** The flat retry after a failed step that is no back-off (missing ConfigMap, bad image name), on every version. */
export const FLAT_RETRY: RetryRule = { kind: "every-10s" };

/** How much a start comes after the end of its wait on average; measured medians are 3 to 7 s on every version. */
export function usualLatenessMs(rule: RetryRule, waitMs: number): number {
  const [leastMs, mostMs] = nextSyncAfterMs(rule, waitMs);
  const firstSyncMs = (leastMs + mostMs + TICK_MS) / 2;
  if (rule.kind === "every-10s") return waitMs < leastMs ? firstSyncMs - waitMs : firstSyncMs / 2;
  return (mostMs - leastMs + TICK_MS) / 2;
}

/**
 * The most that a start can come after the end of its wait, syncs and ticks included: `waitMs` is the wait itself, or what
 * was left of it when the last sync was planned.
 */
export function longestLatenessMs(rule: RetryRule, waitMs: number): number {
  if (rule.kind === "every-10s") return BACK_OFF_PERIOD_MS * (1 + JITTER_FACTOR) + TICK_MS;
  return Math.min(Math.max(waitMs, 0), rule.resyncMs) * JITTER_FACTOR + TICK_MS;
}

/** What is known of the kubelet's syncs of a pod: one that happened, and how long there was none after it. */
export interface KnownSyncs {
  readonly syncedAtMs: number;
  readonly spreadMs: number;
  readonly noSyncUntilMs: number | null;
}

/** The runtime's events are relisted about once a second (`plegRelistPeriod`, pkg/kubelet/kubelet.go, v1.37.1). */
export const RELIST_MS = 1_000;
/** Instants of the API are truncated to a second. */
export const SECOND_MS = 1_000;

/** The sync that an exit brings about, and nothing known of any since. */
export function syncAtExit(finishedAtMs: number): KnownSyncs {
  return { syncedAtMs: finishedAtMs, spreadMs: SECOND_MS + RELIST_MS, noSyncUntilMs: null };
}
