import type { OwnerReference } from "../observed/observation.ts";
import { joinedProse, type Prose, prose } from "./prose.ts";

/**
 * The pod's highest owner that is no CronJob. The other fields are null if the owner was not read, or if its kind has
 * no such state.
 */
export interface Workload extends OwnerReference {
  readonly ready: number | null;
  readonly replicas: number | null;
  readonly unavailableSinceMs: number | null;
  readonly rolloutStuckSinceMs: number | null;
  /** Why a Deployment or ReplicaSet can't create pods, e.g. because of a quota. */
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
