import type { OwnerReference } from "../observed/observation.ts";
import { joinedProse, type Prose, prose } from "./prose.ts";

/** The pod's highest known owner that is no CronJob. The fields below are null if the owner was not read. */
export interface Workload extends OwnerReference {
  readonly ready: number | null;
  readonly replicas: number | null;
  readonly unavailableSinceMs: number | null;
  readonly rolloutStuckSinceMs: number | null;
  readonly cannotCreate: string | null;
}

export function workloadInWords(workload: Workload): Prose {
  const { ready, replicas, unavailableSinceMs, rolloutStuckSinceMs, cannotCreate } = workload;
  return joinedProse("; ", [
    ...(ready === null || replicas === null ? [] : [`${ready} of ${replicas} ready`]),
    ...(unavailableSinceMs === null ? [] : [prose`unavailable since ${{ atMs: unavailableSinceMs }}`]),
    ...(rolloutStuckSinceMs === null ? [] : [prose`rollout stuck since ${{ atMs: rolloutStuckSinceMs }}`]),
    ...(cannotCreate === null ? [] : [`it can't create pods: ${cannotCreate}`]),
  ]);
}
