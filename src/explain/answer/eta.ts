import type { Now, OwnerReference } from "../observed/observation.ts";
import type { ContainerExplanation, FailedJob, Gap, Need, Window } from "./explanation.ts";
import type { Prose } from "./prose.ts";

/** The prediction of when all containers are up again, if the user fixes what keeps them down at `atMs`. */
export interface Eta extends Now {
  /** The number of app containers and sidecars that have not completed, in pods that have not ended. */
  readonly total: number;
  readonly pods: number;
  readonly up: number;
  readonly notReady: readonly ContainerPlace[];
  /** Containers of `up` that crash-loop: they run right now, perhaps since a moment ago. */
  readonly crashLooping: readonly ContainerPlace[];
  /** Containers that are down and have a predicted start; the container that is up last comes first. */
  readonly down: readonly EtaContainer[];
  readonly overdue: readonly EtaContainer[];
  readonly unknown: readonly EtaUnknown[];
  readonly quantiles: readonly EtaQuantile[];
  readonly quantilesOfDown: readonly EtaQuantile[];
  /** The expected number of containers in `down` that have started by each instant, from now to the last start. */
  readonly curve: readonly { readonly atMs: number; readonly up: number }[];
  /** The node or owner of nearly all containers that start last, but of at most half of all down ones; null if none. */
  readonly bottleneck: {
    readonly node?: string;
    readonly owner?: NamespacedOwner;
    readonly sentence: string;
  } | null;
  readonly faster: EtaFaster;
  /** The workloads of `down`; those that are up first come first. */
  readonly workloads: readonly EtaWorkload[];
  /** What the containers that are down need of other workloads, inferred from their logs. */
  readonly needs: readonly EtaNeed[];
  readonly gaps: readonly Gap[];
  /** The Jobs among the targets that have failed: nothing of them comes up again. */
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
  /** The delay of the container's own back-off, or of the container that it waits for; null if unknown. */
  readonly delayMs: number | null;
  /** The init container or sidecar that has to start first; null if there is none. */
  readonly waitsFor: string | null;
  /** When the start comes after which the container stays up: later than its next restart if it crashes again before. */
  readonly upAgain: Window | null;
  /** The Services whose pods have to be up first; empty if there are none. */
  readonly needs: readonly NamespacedService[];
}

/** A workload with containers that are down and have a predicted start. */
export interface EtaWorkload extends NamespacedOwner {
  /** How many of its pods have such a container. */
  readonly pods: number;
  /** From the beginning of the first window to the end of the last one. */
  readonly upAgain: Window;
  /** The Services whose pods have to be up first; empty if there are none. */
  readonly needs: readonly NamespacedService[];
}

export interface NamespacedService {
  readonly namespace: string;
  readonly service: string;
}

/** Something that containers need by their logs, and what follows for when they are up. */
export interface EtaNeed extends Omit<Need, "sentence"> {
  /** The workloads whose containers need it. */
  readonly neededBy: readonly NamespacedOwner[];
  /**
   * "waits": they are up after it; "no-forecast": it has no pods, or none whose start can be predicted; "loop": it needs
   * them, too, so that neither waits for the other; "taken-as-ready": its pods are up, but have long not been Ready;
   * "none": it changes nothing.
   */
  readonly effect: "waits" | "no-forecast" | "loop" | "taken-as-ready" | "none";
  /** Null if there is nothing to say. */
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

/** When a `share` of the containers is up: by `atMs` with a probability of 50 %, by `likelyByMs` with 95 %. */
export interface EtaQuantile {
  /** From 0 to 1. */
  readonly share: number;
  readonly count: number;
  readonly atMs: number;
  readonly likelyByMs: number;
}

/** Actions of the user that would shorten the recovery; null for an action that would not. */
export interface EtaFaster {
  /**
   * The deletion of the pods with the longest waits, once the Services `after` are there; `others` says when all
   * remaining containers are up.
   */
  readonly deletion: {
    readonly after: readonly NamespacedService[];
    readonly pods: readonly Pick<ContainerPlace, "namespace" | "pod">[];
    readonly others: EtaQuantile;
  } | null;
  /** A rollout of the workloads `owners`; `containers` is the number of down containers that it replaces. */
  readonly rollout: { readonly containers: number; readonly owners: readonly NamespacedOwner[] } | null;
}

/** Returns the quantiles of the containers that are down. Of several with the same count, only the last. */
export function distinctQuantiles({ quantilesOfDown }: Pick<Eta, "quantilesOfDown">): EtaQuantile[] {
  return quantilesOfDown.filter(({ count }, index, all) => all[index + 1]?.count !== count);
}

export const ETA_SHARES = [0.5, 0.9, 0.95, 1] as const;
