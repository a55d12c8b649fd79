import type { AtBasis, OwnerReference } from "../observed/observation.ts";
import type { Gap, Overdue, Window } from "./explanation.ts";

/** When everything is up again, if what makes the containers crash were mended at `atMs`. */
export interface Eta {
  readonly atMs: number;
  readonly atBasis: AtBasis;
  /** App containers and sidecars of pods that are not over; init containers only keep them waiting. */
  readonly total: number;
  readonly pods: number;
  readonly up: number;
  /** Those that run, but are not Ready. */
  readonly notReady: readonly ContainerPlace[];
  /** Those that are down and start within a known time, the last one first. */
  readonly down: readonly EtaContainer[];
  /** Those whose start should have come already. */
  readonly overdue: readonly EtaContainer[];
  /** Those of which nobody can say when they start, by what they wait for; the most frequent first. */
  readonly unknown: readonly EtaUnknown[];
  /** Of all that are up or down. */
  readonly quantiles: readonly EtaQuantile[];
  /** Of those that are down. */
  readonly quantilesOfDown: readonly EtaQuantile[];
  /** How many of those that are down are up again by then, in the mean; from `atMs` to the end. */
  readonly curve: readonly EtaPoint[];
  readonly bottleneck: EtaBottleneck | null;
  readonly faster: EtaFaster;
  /** What could not be seen of their nodes, once each. */
  readonly gaps: readonly Gap[];
}

/** Where a container is. */
export interface ContainerPlace {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
}

/** One container that is down. */
export interface EtaContainer extends ContainerPlace {
  readonly node: string | null;
  readonly owner: OwnerReference | null;
  /** Of its own back-off, or of the one that it waits for. */
  readonly delayMs: number | null;
  /** The window of its start; null if that is overdue. */
  readonly nextRestart: Window | null;
  readonly overdue: Overdue | null;
  /** The init container or sidecar that has to start before it; null if it waits for itself only. */
  readonly waitsFor: string | null;
}

/** Containers of which nobody can say when they start. */
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
  /** A few of them. */
  readonly examples: readonly ContainerPlace[];
}

/** When so many are up: as likely before `atMs` as after it, and with 95 % by `likelyByMs`. */
export interface EtaQuantile {
  /** From 0 to 1. */
  readonly share: number;
  /** How many containers that are. */
  readonly count: number;
  readonly atMs: number;
  readonly likelyByMs: number;
}

/** A point of the curve. */
export interface EtaPoint {
  readonly atMs: number;
  readonly up: number;
}

/** What nearly all of the last ones have in common, and the others have not. */
export interface EtaBottleneck {
  readonly node?: string;
  readonly owner?: OwnerReference & { readonly namespace: string };
  readonly sentence: string;
}

/** What would have them up sooner; null where it would not. */
export interface EtaFaster {
  /** Deleting these pods, which have the longest waits: then the last of the others is up by this. */
  readonly deletion: {
    readonly pods: readonly Pick<ContainerPlace, "namespace" | "pod">[];
    readonly others: EtaQuantile;
  } | null;
  /** Down containers of pods that a rollout of their workload replaces, and how many workloads that are. */
  readonly rollout: {
    readonly containers: number;
    readonly owners: readonly (OwnerReference & { readonly namespace: string })[];
  } | null;
}

/** Shares of the quantiles. */
export const ETA_SHARES = [0.5, 0.9, 0.95, 1] as const;
