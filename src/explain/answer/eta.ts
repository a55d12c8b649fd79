import type { Now, OwnerReference } from "../observed/observation.ts";
import type { ContainerExplanation, FailedJob, Gap, Need, Window } from "./explanation.ts";
import type { Prose } from "./prose.ts";

/** When all containers are up again. Assumes that what keeps containers down has been fixed at `atMs`. */
export interface Eta extends Now {
  /** App containers and sidecars that have not completed. Not of pods that are Succeeded, Failed or being deleted. */
  readonly total: number;
  readonly pods: number;
  readonly up: number;
  readonly notReady: readonly ContainerPlace[];
  /** Crash-looping containers that run now. `up` counts them. */
  readonly crashLooping: readonly ContainerPlace[];
  /** Containers whose start is predicted. The container that is up last comes first. */
  readonly down: readonly EtaContainer[];
  readonly overdue: readonly EtaContainer[];
  readonly unknown: readonly EtaUnknown[];
  readonly quantiles: readonly EtaQuantile[];
  readonly quantilesOfDown: readonly EtaQuantile[];
  /** `up`: the expected number of containers in `down` that have started by `atMs`. */
  readonly curve: readonly { readonly atMs: number; readonly up: number }[];
  /** The node or the owner of most containers that start last, if at most half of `down` has the same one. */
  readonly bottleneck: {
    readonly node?: string;
    readonly owner?: NamespacedOwner;
    readonly sentence: string;
  } | null;
  readonly faster: EtaFaster;
  /** The workloads of `down`, the one that is up earliest first. */
  readonly workloads: readonly EtaWorkload[];
  /** Inferred from the logs and termination messages of containers that are down. */
  readonly needs: readonly EtaNeed[];
  readonly gaps: readonly Gap[];
  readonly failedJobs: readonly FailedJob[];
  /** Jobs that wait until they make another pod in place of a failed one, the first one first. */
  readonly waitingJobs: readonly EtaJob[];
}

/** `atMs`: when the Job controller makes the Job's next pod. */
export interface EtaJob {
  readonly namespace: string;
  readonly name: string;
  readonly atMs: number;
}

export interface ContainerPlace {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
}

export type NamespacedOwner = OwnerReference & { readonly namespace: string };

export interface EtaContainer extends ContainerPlace, Pick<ContainerExplanation, "nextRestart" | "overdue"> {
  readonly node: string | null;
  readonly owner: OwnerReference | null;
  /** The delay of the container's own wait, or of the wait of the container that it waits for. */
  readonly delayMs: number | null;
  /** The init container or sidecar that blocks the container. */
  readonly waitsFor: string | null;
  /** The window of the start after which the container stays up, because what it needs is up. */
  readonly upAgain: Window | null;
  /** The Services of which a pod has to be up first. */
  readonly needs: readonly NamespacedService[];
}

export interface EtaWorkload extends NamespacedOwner, Pick<EtaContainer, "needs"> {
  /** The number of the workload's pods with containers in `down`. */
  readonly pods: number;
  /** Spans `upAgain` of all the workload's containers in `down`. */
  readonly upAgain: Window;
}

interface NamespacedService {
  readonly namespace: string;
  readonly service: string;
}

/** An address that containers need, inferred from their logs, and its effect on the prediction. */
export interface EtaNeed extends Omit<Need, "sentence"> {
  readonly neededBy: readonly NamespacedOwner[];
  /**
   * "waits": the containers are up only after a pod of the Service. "no-forecast": no start of such a pod can be
   * predicted, so no start of the containers can be. "loop": the pods of the Service need the containers, too; the
   * prediction lets neither wait for the other. "taken-as-ready": the pods of the Service are up, but have long not
   * been Ready; the prediction takes them as Ready. "none": the need changes nothing.
   */
  readonly effect: "waits" | "no-forecast" | "loop" | "taken-as-ready" | "none";
  /** Null if `effect` is "none" and nothing shows that the address cannot answer. */
  readonly sentence: Prose | null;
}

export interface EtaUnknown {
  readonly reason:
    | "unscheduled"
    | "node-not-ready"
    | "node-not-found"
    | "held-up"
    | "init-running"
    | "starting"
    | "stays-down"
    | "needs-unknown"
    | "no-data";
  readonly places: readonly ContainerPlace[];
}

/** The `share` of containers, 0 to 1, is up by `atMs` with a probability of 50%, and by `likelyByMs` with 95%. */
export interface EtaQuantile {
  readonly share: number;
  readonly count: number;
  readonly atMs: number;
  readonly likelyByMs: number;
}

/** Actions that shorten the recovery; null if the action does not. */
export interface EtaFaster {
  /**
   * The deletion of the pods that start last, after a pod of each Service in `after` is up. `others`: when all
   * containers of the remaining pods are up.
   */
  readonly deletion: {
    readonly after: readonly NamespacedService[];
    readonly pods: readonly Pick<ContainerPlace, "namespace" | "pod">[];
    readonly others: EtaQuantile;
  } | null;
  /** `containers`: the number of containers in `down` that a rollout of `owners`, e.g. ReplicaSets, replaces. */
  readonly rollout: { readonly containers: number; readonly owners: readonly NamespacedOwner[] } | null;
}

/** Returns `quantilesOfDown`; of quantiles with the same `count` only the last. */
export function distinctQuantiles({ quantilesOfDown }: Pick<Eta, "quantilesOfDown">): EtaQuantile[] {
  return quantilesOfDown.filter(({ count }, index, all) => all[index + 1]?.count !== count);
}

export const ETA_SHARES = [0.5, 0.9, 0.95, 1] as const;
