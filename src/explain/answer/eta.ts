import type { Now, OwnerReference } from "../observed/observation.ts";
import type { ContainerExplanation, FailedJob, Gap, Need, Window } from "./explanation.ts";
import type { Prose } from "./prose.ts";

/** A forecast of when containers are up again, if what keeps them down is fixed at `atMs`. */
export interface Eta extends Now {
  /** Counts app containers and sidecars that have not completed, in pods that are not over. */
  readonly total: number;
  readonly pods: number;
  readonly up: number;
  readonly notReady: readonly ContainerPlace[];
  /** `up` counts these containers, too. */
  readonly crashLooping: readonly ContainerPlace[];
  /** The containers with a predicted `upAgain`. The container that is probably up last comes first. */
  readonly down: readonly EtaContainer[];
  readonly overdue: readonly EtaContainer[];
  readonly unknown: readonly EtaUnknown[];
  readonly quantiles: readonly EtaQuantile[];
  readonly quantilesOfDown: readonly EtaQuantile[];
  /** `up`: the expected number of containers of `down` that are up at `atMs`. */
  readonly curve: readonly { readonly atMs: number; readonly up: number }[];
  readonly bottleneck: {
    readonly node?: string;
    readonly owner?: NamespacedOwner;
    readonly sentence: string;
  } | null;
  readonly faster: EtaFaster;
  readonly workloads: readonly EtaWorkload[];
  readonly needs: readonly EtaNeed[];
  readonly gaps: readonly Gap[];
  readonly failedJobs: readonly FailedJob[];
  readonly waitingJobs: readonly EtaJob[];
}

/** `atMs`: when the Job's next pod is due. */
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
  readonly delayMs: number | null;
  readonly waitsFor: string | null;
  /** The assumed start after which the container stays up. With `needs`, this start can be later than `nextRestart`. */
  readonly upAgain: Window | null;
  readonly needs: readonly NamespacedService[];
}

export interface EtaWorkload extends NamespacedOwner, Pick<EtaContainer, "needs"> {
  readonly pods: number;
  /** From the earliest beginning to the latest end of `upAgain` among the workload's containers in `down`. */
  readonly upAgain: Window;
}

interface NamespacedService {
  readonly namespace: string;
  readonly service: string;
}

export interface EtaNeed extends Omit<Need, "sentence"> {
  readonly neededBy: readonly NamespacedOwner[];
  /**
   * How the need changes the forecast. "loop": the need is part of a circle of needs, so the forecast ignores the need.
   * "taken-as-ready": pods behind the address have long not been Ready. The forecast assumes that these pods are fixed,
   * too.
   */
  readonly effect: "waits" | "no-forecast" | "loop" | "taken-as-ready" | "none";
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

/** `count` containers are up by `atMs` with a probability of about 50% or more, by `likelyByMs` with 95% or more. */
export interface EtaQuantile {
  readonly share: number;
  readonly count: number;
  readonly atMs: number;
  readonly likelyByMs: number;
}

export interface EtaFaster {
  /** A suggestion to delete `pods`. `others`: when the other containers in `down` are up. */
  readonly deletion: {
    readonly after: readonly NamespacedService[];
    readonly pods: readonly Pick<ContainerPlace, "namespace" | "pod">[];
    readonly others: EtaQuantile;
  } | null;
  readonly rollout: { readonly containers: number; readonly owners: readonly NamespacedOwner[] } | null;
}

export function distinctQuantiles({ quantilesOfDown }: Pick<Eta, "quantilesOfDown">): EtaQuantile[] {
  return quantilesOfDown.filter(({ count }, index, all) => all[index + 1]?.count !== count);
}

export const ETA_SHARES = [0.5, 0.9, 0.95, 1] as const;
