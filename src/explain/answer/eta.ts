import type { Now, OwnerReference } from "../observed/observation.ts";
import type { ContainerExplanation, Gap } from "./explanation.ts";

/** When all containers are up again, if the cause of their crashes were fixed at `atMs`. */
export interface Eta extends Now {
  /** App containers and sidecars of pods that have not ended; init containers only delay them. */
  readonly total: number;
  readonly pods: number;
  readonly up: number;
  readonly notReady: readonly ContainerPlace[];
  /** The containers that are down and have a predicted start, the last one first. */
  readonly down: readonly EtaContainer[];
  readonly overdue: readonly EtaContainer[];
  /** Containers without a predictable start, by reason; the most frequent reason first. */
  readonly unknown: readonly EtaUnknown[];
  /** Of all containers that are up or down. */
  readonly quantiles: readonly EtaQuantile[];
  readonly quantilesOfDown: readonly EtaQuantile[];
  /** The expected number of containers in `down` that have started by each instant, from `atMs` to the last start. */
  readonly curve: readonly { readonly atMs: number; readonly up: number }[];
  /** The node or owner that nearly all of the last containers have in common, and most others do not. */
  readonly bottleneck: {
    readonly node?: string;
    readonly owner?: NamespacedOwner;
    readonly sentence: string;
  } | null;
  readonly faster: EtaFaster;
  readonly gaps: readonly Gap[];
}

export interface ContainerPlace {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
}

type NamespacedOwner = OwnerReference & { readonly namespace: string };

/** One container that is down. `nextRestart` is null if its start is overdue. */
export interface EtaContainer extends ContainerPlace, Pick<ContainerExplanation, "nextRestart" | "overdue"> {
  readonly node: string | null;
  readonly owner: OwnerReference | null;
  /** Of its own back-off, or of the back-off of the container that it waits for. */
  readonly delayMs: number | null;
  /** The init container or sidecar that has to start first; null if there is none. */
  readonly waitsFor: string | null;
}

/** Containers whose start cannot be predicted, for one reason. */
export interface EtaUnknown {
  readonly reason:
    | "unscheduled"
    | "node-not-ready"
    | "held-up"
    | "init-running"
    | "starting"
    | "stays-down"
    | "no-data";
  readonly count: number;
  readonly examples: readonly ContainerPlace[];
}

/** When a share of the containers is up: with a probability of 50 % by `atMs`, of 95 % by `likelyByMs`. */
export interface EtaQuantile {
  /** From 0 to 1. */
  readonly share: number;
  readonly count: number;
  readonly atMs: number;
  readonly likelyByMs: number;
}

/** Actions that would shorten the recovery; null if an action would not. */
export interface EtaFaster {
  /** Deletes the pods with the longest waits; `others` says when the remaining containers are up. */
  readonly deletion: {
    readonly pods: readonly Pick<ContainerPlace, "namespace" | "pod">[];
    readonly others: EtaQuantile;
  } | null;
  /** Rolls out the workloads `owners`; `containers` is the number of down containers that a rollout replaces. */
  readonly rollout: { readonly containers: number; readonly owners: readonly NamespacedOwner[] } | null;
}

export const ETA_SHARES = [0.5, 0.9, 0.95, 1] as const;
