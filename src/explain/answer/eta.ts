import type { Now, OwnerReference } from "../observed/observation.ts";
import type { ContainerExplanation, FailedJob, Gap, Need, Window } from "./explanation.ts";
import type { Prose } from "./prose.ts";

/** When all containers are up again, if what keeps them down is fixed at `atMs`. */
export interface Eta extends Now {
  /**
   * Counts app containers and sidecars. Leaves out completed containers, and pods that are Succeeded, Failed or being
   * deleted.
   */
  readonly total: number;
  readonly pods: number;
  readonly up: number;
  readonly notReady: readonly ContainerPlace[];
  /** The crash-looping containers that run now. `up` counts these containers, too. */
  readonly crashLooping: readonly ContainerPlace[];
  /** The containers with a predicted start, the last start first. */
  readonly down: readonly EtaContainer[];
  readonly overdue: readonly EtaContainer[];
  readonly unknown: readonly EtaUnknown[];
  readonly quantiles: readonly EtaQuantile[];
  readonly quantilesOfDown: readonly EtaQuantile[];
  /** `up`: the expected number of containers in `down` that have started by `atMs` and stay up. */
  readonly curve: readonly { readonly atMs: number; readonly up: number }[];
  readonly bottleneck: {
    readonly node?: string;
    readonly owner?: NamespacedOwner;
    readonly sentence: string;
  } | null;
  readonly faster: EtaFaster;
  readonly workloads: readonly EtaWorkload[];
  /** Inferred from the logs and termination messages of containers that are down. */
  readonly needs: readonly EtaNeed[];
  readonly gaps: readonly Gap[];
  readonly failedJobs: readonly FailedJob[];
  readonly waitingJobs: readonly EtaJob[];
}

/** `atMs`: when the Job controller creates the Job's next pod. */
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
  /**
   * When the container starts and stays up: at its next start or, if `needs` is not empty, at its first start after a
   * pod of each of these Services is up. Null if the start is overdue.
   */
  readonly upAgain: Window | null;
  readonly needs: readonly NamespacedService[];
}

export interface EtaWorkload extends NamespacedOwner, Pick<EtaContainer, "needs"> {
  readonly pods: number;
  /** From the earliest `notBeforeMs` to the latest `likelyByMs` of the workload's containers in `down`. */
  readonly upAgain: Window;
}

interface NamespacedService {
  readonly namespace: string;
  readonly service: string;
}

/**
 * An address that containers need, inferred from their logs and termination messages, and how the need changes the
 * prediction.
 */
export interface EtaNeed extends Omit<Need, "sentence"> {
  readonly neededBy: readonly NamespacedOwner[];
  /**
   * "loop": the pods of the Service need a Service of the containers' workload, directly or through other Services. The
   * prediction then lets neither wait for the other. "taken-as-ready": all pods behind the address that are up have
   * long not been Ready. The prediction assumes that this is fixed now, too.
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

/**
 * The `share` of containers, 0 to 1, is up by `atMs` with a probability of at least 50%, and by `likelyByMs` with at
 * least 95%.
 */
export interface EtaQuantile {
  readonly share: number;
  readonly count: number;
  readonly atMs: number;
  readonly likelyByMs: number;
}

export interface EtaFaster {
  /** A suggestion to delete `pods`. `others`: when all containers of the other pods are up. */
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
