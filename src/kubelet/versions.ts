export interface KubeletVersion {
  readonly major: number;
  readonly minor: number;
  /** Absent if unknown, and for alphas, betas and release candidates. */
  readonly patch?: number;
}

export function parseKubeletVersion(text: string): KubeletVersion | null {
  const match = /^v?(\d{1,4})\.(\d{1,4})(?:\.(\d+))?([-+.].*)?$/.exec(text.trim());
  if (match === null) return null;
  const [, major, minor, patch, suffix = ""] = match;
  const isReleased = patch !== undefined && !/^-(alpha|beta|rc)\b/.test(suffix);
  return { major: Number(major), minor: Number(minor), ...(isReleased && { patch: Number(patch) }) };
}

export function isAtLeast(version: KubeletVersion, minor: number): boolean {
  return version.major > 1 || (version.major === 1 && version.minor >= minor);
}

/** The newest version that the model was checked against. */
export const NEWEST_KNOWN_VERSION: KubeletVersion = { major: 1, minor: 37 };

export const MODELED_MINORS = { oldest: 19, newest: NEWEST_KNOWN_VERSION.minor } as const;

/** Changes in the kubelet's behaviour, by the minor version of 1.x in which each became the default. */
export const SINCE = {
  /**
   * A container's back-off entry expires 600 s after its last update (pkg/kubelet/kubelet.go, v1.32.0; in v1.31.4
   * after 2 × maximum).
   */
  fixedReset: 32,
  /**
   * The limit on a pod's events counts each type of event separately: `getSpamKey` includes `event.Type` (client-go
   * v0.32.0, not in v0.31.4, tools/record/events_cache.go).
   */
  eventBurstPerType: 32,
  /** A resize of a container can reset its back-off (`handlePodResourcesResize`, pkg/kubelet/kubelet.go, v1.33.0). */
  resizeResets: 33,
  /**
   * The key of a back-off contains image and resources (`GetBackoffKey`, pkg/kubelet/kuberuntime/helpers.go, v1.34.4).
   * Before, the key contained a hash of the container (`GetStableKey` in the same file, v1.33.0).
   */
  resourcesInKey: 34,
  /** The kubelet can plan a pod's next sync for the end of the wait (kubernetes/kubernetes#133066). */
  retryAtExpiry: 35,
  /** A Node declares features of its kubelet (NodeDeclaredFeatures, pkg/features/kube_features.go, v1.36.3). */
  declaredFeatures: 36,
  /** RestartAllContainers removes containers but keeps their log files (kubernetes/kubernetes#136963). */
  keepsRemovedLogs: 36,
  /**
   * Once an app container has started, app containers need not wait for a sidecar that is down, even if no app
   * container runs (`computeInitContainerActions`, pkg/kubelet/kuberuntime/kuberuntime_container.go, v1.37.1;
   * not in v1.36.3).
   */
  sidecarsDoNotHoldBack: 37,
} as const;

/** The release dates of v1.32.0 and v1.35.0. */
export const RELEASED_AT_MS = {
  configurableMaximum: Date.UTC(2024, 11, 11),
  retryAtExpiry: Date.UTC(2025, 11, 17),
} as const;

/** Feature gates: alpha (off) since v1.`alpha`, beta (on) since v1.`beta` (pkg/features/kube_features.go, v1.37.1). */
export const GATES = {
  KubeletCrashLoopBackOffMax: { alpha: 32, beta: 35 },
  ReduceDefaultCrashLoopBackOffDecay: { alpha: 33, beta: Number.POSITIVE_INFINITY },
  ContainerRestartRules: { alpha: 34, beta: 35 },
  RestartAllContainersOnContainerExits: { alpha: 35, beta: 36 },
} as const;

export const LAST_WITH_FLAT_RETRY: KubeletVersion = { major: 1, minor: SINCE.retryAtExpiry - 1 };
