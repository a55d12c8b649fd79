import type { KubeletVersion } from "./versions.ts";

export interface KubeletBug {
  readonly code: string;
  /**
   * For each affected minor version, the first patch release with the fix: `35: 4` is v1.35.4. Null means that no patch
   * release has the fix. A minor version that is not listed counts as unaffected.
   */
  readonly fixedIn: Readonly<Record<number, number | null>>;
  readonly source: string;
  readonly does: string;
  /** What helps besides an upgrade; null if a new pod helps. */
  readonly wayOut: string | null;
}

/** The patch releases are from Kubernetes' changelogs and issues. */
export const BUGS = {
  sidecarProbeForgotten: {
    code: "kubelet-bug-136910",
    fixedIn: { 35: 4 },
    source: "kubernetes/kubernetes#136910, fixed by #137146 and #137885",
    does: "after its own restart, it never restarts the app containers of a pod whose last sidecar has a startup probe",
    wayOut: null,
  },
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
  subPathMountStale: {
    code: "kubelet-bug-139123",
    fixedIn: { 31: null, 32: null, 33: null, 34: null, 35: null, 36: null },
    source: "kubernetes/kubernetes#139123, fixed by #138856 and #139275",
    does: "it can't restart a container with a subPath whose mount has gone stale, e.g. after its NFS or FUSE server was restarted",
    wayOut: null,
  },
  syncsLeakMemory: {
    code: "kubelet-bug-139823",
    fixedIn: { 36: 3 },
    source: "kubernetes/kubernetes#139823, fixed by #139850 and #140066",
    does: "it needs more memory with every sync; when the node's OOM killer ends it, it loses the back-off of every container",
    wayOut: "Restart the kubelet from time to time",
  },
} as const satisfies Readonly<Record<string, KubeletBug>>;

export type BugName = keyof typeof BUGS;

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
