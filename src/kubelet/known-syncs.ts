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
