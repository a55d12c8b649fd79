import type { OwnerReference, PodSnapshot } from "../observed/observation.ts";
import type { PodExplanation } from "./explanation.ts";

/**
 * What keeps a pod from Ready: its node, a running init container, a probe of a running container, a readiness gate, a
 * container that has ended and will not restart, or one that has not started yet.
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

/** A pod that has no container among the items of a list, but has long not been Ready. */
export interface NotReadyPod
  extends Pick<PodExplanation, "namespace" | "node" | "owner">,
    Pick<PodSnapshot, "createdAtMs"> {
  readonly pod: string;
  readonly workload: OwnerReference | null;
  readonly sinceMs: number;
  /** The number of the pod's app containers and sidecars that are ready, and the number of all. */
  readonly readiness: { readonly ready: number; readonly all: number };
  readonly cause: NotReadyCause;
  /** The last answer to the probe, the exit code, or the API's message about the readiness gate; null if unknown. */
  readonly message: string | null;
  /** The container that keeps the pod from Ready; null if none does. */
  readonly container: NotReadyContainer | null;
  /** The running init container, for which the later containers wait; null if none runs. */
  readonly waitsFor: string | null;
}

interface NotReadyContainer {
  readonly name: string;
  /** Whether the container is the pod's only app container. */
  readonly isOnlyApp: boolean;
  readonly restartCount: number;
  /** The word in kubectl's STATUS column for the container; null if it has no state yet. */
  readonly reported: string | null;
}
