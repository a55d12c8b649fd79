import type { OwnerReference, PodSnapshot } from "../observed/observation.ts";
import type { PodExplanation } from "./explanation.ts";

/**
 * What keeps a pod from Ready: its node, an init container that runs, a probe of a container that runs, a container that
 * has ended for good or has not started yet, or a readiness gate.
 */
export type NotReadyCause =
  | "node"
  | "init-container"
  | "startup-probe"
  | "readiness-probe"
  | "readiness-gate"
  | "ended"
  | "starting"
  | "unknown";

/** A pod that no item of a list is about, and that still has not been Ready for a while. */
export interface NotReadyPod
  extends Pick<PodExplanation, "namespace" | "node" | "owner">,
    Pick<PodSnapshot, "createdAtMs"> {
  readonly pod: string;
  readonly workload: OwnerReference | null;
  readonly sinceMs: number;
  /** How many of its app containers and sidecars are ready, and how many there are. */
  readonly readiness: { readonly ready: number; readonly all: number };
  readonly cause: NotReadyCause;
  /** The last answer to the probe, the exit code, or what the API says of the readiness gate; null if none is known. */
  readonly message: string | null;
  /** The container that keeps it from Ready; null if none does. */
  readonly container: NotReadyContainer | null;
  /** The init container that runs, and for which the others wait; null if none does. */
  readonly waitsFor: string | null;
}

interface NotReadyContainer {
  readonly name: string;
  /** Whether it is the pod's only app container. */
  readonly isOnlyApp: boolean;
  readonly restartCount: number;
  /** The word of kubectl's STATUS column for it. */
  readonly reported: string | null;
}
