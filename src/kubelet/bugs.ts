import type { KubeletVersion } from "./versions.ts";

export interface KubeletBug {
  readonly code: string;
  /**
   * The first patch release without the bug, by minor version of 1.x; null if no patch release of that minor version
   * fixes the bug. A minor version that is not listed counts as unaffected.
   */
  readonly fixedIn: Readonly<Record<number, number | null>>;
  readonly source: string;
  readonly does: string;
  /** What helps besides an upgrade; null if a new pod helps. */
  readonly wayOut: string | null;
}

/** The patch releases are from the changelogs of v1.31 to v1.38; for #139132, from the issue. */
export const BUGS = {
  /**
   * A kubelet that has restarted has no result of the last sidecar's startup probe. As long as no app container runs,
   * `computeInitContainerActions` takes the pod for not initialized (pkg/kubelet/kuberuntime/kuberuntime_container.go,
   * v1.35.4).
   */
  sidecarProbeForgotten: {
    code: "kubelet-bug-136910",
    fixedIn: { 35: 4 },
    source: "kubernetes/kubernetes#136910, fixed by #137146 and #137885",
    does: "after its own restart, it never restarts the app containers of a pod whose last sidecar has a startup probe",
    wayOut: null,
  },
  /**
   * The worker of a sidecar's startup probe ends with the sidecar's first exit, because `doProbe`
   * (pkg/kubelet/prober/worker.go, v1.32.13) regards only the pod's restart policy. `AddPod` (prober_manager.go) starts
   * no new worker if an app container or an earlier sidecar has a worker: it returns at the first worker that exists.
   */
  sidecarProbeAbandoned: {
    code: "kubelet-bug-132826",
    fixedIn: { 31: null, 32: null, 33: 6, 34: 2 },
    source: "kubernetes/kubernetes#132826, fixed by #133072, #134800 and #134801",
    does: "in a pod with restartPolicy Never, it stops probing a sidecar that exits before its startup probe succeeds, and never starts the containers after it",
    wayOut: null,
  },
  binaryEnvRefused: {
    code: "kubelet-bug-139132",
    fixedIn: { 34: 9, 35: 6, 36: 2 },
    source: "kubernetes/kubernetes#139132, fixed by #139168, #139192, #139193 and #139194",
    does: "it can't create a container with an environment variable that is not valid UTF-8, such as a Secret's binary value",
    wayOut: "Mount the value as a file",
  },
  /** `prepareSubpathTarget` (pkg/volume/util/subpath/subpath_linux.go) unmounts a stale mount only since v1.37.0. */
  subPathMountStale: {
    code: "kubelet-bug-139123",
    fixedIn: { 31: null, 32: null, 33: null, 34: null, 35: null, 36: null },
    source: "kubernetes/kubernetes#139123, fixed by #138856 and #139275",
    does: "it can't restart a container with a subPath whose mount has gone stale, e.g. after its NFS or FUSE server was restarted",
    wayOut: null,
  },
  /** Every sync of a pod leaks a context (`startPodSync`, pkg/kubelet/pod_workers.go, v1.36.0). */
  syncsLeakMemory: {
    code: "kubelet-bug-139823",
    fixedIn: { 36: 3 },
    source: "kubernetes/kubernetes#139823, fixed by #139850 and #140066",
    does: "it needs more memory with every sync; when the node's OOM killer ends it, it loses the back-off of every container",
    wayOut: "Restart the kubelet from time to time",
  },
} as const satisfies Readonly<Record<string, KubeletBug>>;

export type BugName = keyof typeof BUGS;

/**
 * Returns false if the patch release is unknown, and for pre-releases, e.g. a beta: their changelogs do not list these
 * bugs.
 */
export function isAffected({ fixedIn }: KubeletBug, { major, minor, patch }: KubeletVersion): boolean {
  const fixed = fixedIn[minor];
  if (major !== 1 || patch === undefined || fixed === undefined) return false;
  return fixed === null || patch < fixed;
}

export function fixFor({ fixedIn }: KubeletBug, { minor }: KubeletVersion): string {
  let next = minor;
  while (fixedIn[next] === null) next++;
  return `v1.${next}.${fixedIn[next] ?? 0}`;
}
