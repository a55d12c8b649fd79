import type { OwnerReference } from "../observed/observation.ts";
import { joinedProse, type Prose, prose } from "./prose.ts";

/**
 * The object that the pod's replicas belong to, and its state. Null: it was not read, or its kind does not show that.
 */
export interface Workload extends OwnerReference {
  readonly ready: number | null;
  /** The number of pods that the workload wants now. */
  readonly replicas: number | null;
  /** When a Deployment's condition Available became False; null if it is available. */
  readonly unavailableSinceMs: number | null;
  /** When a Deployment's rollout exceeded its progress deadline; null if it has not. */
  readonly rolloutStuckSinceMs: number | null;
  /** Why the workload can't create pods, e.g. because of a quota; null if it can. */
  readonly cannotCreate: string | null;
}

/** Returns e.g. "0 of 3 ready; unavailable since 13:41:02; rollout stuck since 13:44:49"; "" if nothing is known. */
export function workloadInWords(workload: Workload): Prose {
  const { ready, replicas, unavailableSinceMs, rolloutStuckSinceMs, cannotCreate } = workload;
  return joinedProse("; ", [
    ...(ready === null || replicas === null ? [] : [`${ready} of ${replicas} ready`]),
    ...(unavailableSinceMs === null ? [] : [prose`unavailable since ${{ atMs: unavailableSinceMs }}`]),
    ...(rolloutStuckSinceMs === null ? [] : [prose`rollout stuck since ${{ atMs: rolloutStuckSinceMs }}`]),
    ...(cannotCreate === null ? [] : [`it can't create pods: ${cannotCreate}`]),
  ]);
}
