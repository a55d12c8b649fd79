import type { Now, OwnerReference } from "../observed/observation.ts";
import type { ContainerExplanation, FailedJob, Gap, Need, Window } from "./explanation.ts";
import type { Prose } from "./prose.ts";

/** The prediction of when all containers are up again, if what keeps them down has been fixed at `atMs`. */
export interface Eta extends Now {
  /**
   * The number of app containers and sidecars that have not completed, without pods that ended or are being deleted.
   */
  readonly total: number;
  readonly pods: number;
  readonly up: number;
  readonly notReady: readonly ContainerPlace[];
  /** Containers that crash-loop but run right now, perhaps since a moment ago; `up` counts them. */
  readonly crashLooping: readonly ContainerPlace[];
  /** Containers that are down and have a predicted start; the container that is up last comes first. */
  readonly down: readonly EtaContainer[];
  readonly overdue: readonly EtaContainer[];
  readonly unknown: readonly EtaUnknown[];
  readonly quantiles: readonly EtaQuantile[];
  readonly quantilesOfDown: readonly EtaQuantile[];
  /** `up`: the expected number of containers in `down` that have started by `atMs`. From now to the last start. */
  readonly curve: readonly { readonly atMs: number; readonly up: number }[];
  /** The node or owner of at least 80% of the containers that start last, but of at most half of `down`. Null: none. */
  readonly bottleneck: {
    readonly node?: string;
    readonly owner?: NamespacedOwner;
    readonly sentence: string;
  } | null;
  readonly faster: EtaFaster;
  /** The workloads of the containers in `down`. The workload that is up again first comes first. */
  readonly workloads: readonly EtaWorkload[];
  /** Inferred from the logs and termination messages of the containers in `down`. */
  readonly needs: readonly EtaNeed[];
  readonly gaps: readonly Gap[];
  readonly failedJobs: readonly FailedJob[];
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
  /** The delay of the container's back-off, or of that of the container that it waits for; null if unknown. */
  readonly delayMs: number | null;
  /** The init container or sidecar that has to start first; null if there is none. */
  readonly waitsFor: string | null;
  /**
   * The window of the start after which the container stays up. Later than `nextRestart` if it crashes again before.
   */
  readonly upAgain: Window | null;
  /** The Services of which a pod has to be up first. */
  readonly needs: readonly NamespacedService[];
}

/** A workload with containers that are down and have a predicted start. */
export interface EtaWorkload extends NamespacedOwner {
  /** The number of its pods that have such a container. */
  readonly pods: number;
  /** From the beginning of the first `upAgain` of its containers to the end of the last one. */
  readonly upAgain: Window;
  /** The Services of which a pod has to be up first. */
  readonly needs: readonly NamespacedService[];
}

interface NamespacedService {
  readonly namespace: string;
  readonly service: string;
}

/** An address that containers need, by their logs, and how that changes the prediction of when they are up. */
export interface EtaNeed extends Omit<Need, "sentence"> {
  readonly neededBy: readonly NamespacedOwner[];
  /**
   * "waits": the containers are up only after a pod of the Service. "no-forecast": no start of such a pod can be
   * predicted, so theirs can't either. "loop": the pods of the Service need these containers, too; the prediction lets
   * neither wait for the other. "taken-as-ready": the pods of the Service are up, but have long not been Ready; the
   * prediction takes them as Ready. "none": the need changes nothing.
   */
  readonly effect: "waits" | "no-forecast" | "loop" | "taken-as-ready" | "none";
  /** Null if `effect` is "none" and nothing shows that the address cannot answer. */
  readonly sentence: Prose | null;
}

export interface EtaUnknown {
  readonly reason:
    | "unscheduled"
    | "node-not-ready"
    | "held-up"
    | "init-running"
    | "starting"
    | "stays-down"
    | "needs-unknown"
    | "no-data";
  readonly places: readonly ContainerPlace[];
}

/** When a `share` of the containers is up: by `atMs` with a probability of 50%, by `likelyByMs` with 95%. */
export interface EtaQuantile {
  readonly share: number;
  readonly count: number;
  readonly atMs: number;
  readonly likelyByMs: number;
}

/** Actions of the user that would shorten the recovery; null: it would not. */
export interface EtaFaster {
  /**
   * The deletion of the pods that start last, after the Services in `after` have a pod that is up. `others`: when all
   * containers that are down in other pods are up.
   */
  readonly deletion: {
    readonly after: readonly NamespacedService[];
    readonly pods: readonly Pick<ContainerPlace, "namespace" | "pod">[];
    readonly others: EtaQuantile;
  } | null;
  /** A rollout of `owners`, e.g. ReplicaSets. `containers`: the number of containers in `down` that it replaces. */
  readonly rollout: { readonly containers: number; readonly owners: readonly NamespacedOwner[] } | null;
}

/** Returns `quantilesOfDown`, of several quantiles with the same `count` only the last. */
export function distinctQuantiles({ quantilesOfDown }: Pick<Eta, "quantilesOfDown">): EtaQuantile[] {
  return quantilesOfDown.filter(({ count }, index, all) => all[index + 1]?.count !== count);
}

export const ETA_SHARES = [0.5, 0.9, 0.95, 1] as const;
