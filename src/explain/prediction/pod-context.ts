import type { CrashLoopPolicy } from "../../kubelet/crash-loop-policy.ts";
import type { Lateness } from "../../kubelet/start-distribution.ts";
import type { Obstacle, State } from "../answer/explanation.ts";
import type { AtBasis, PodObservation } from "../observed/observation.ts";
import type { CurrentWait } from "../replay/current-wait.ts";
import type { RivalPolicy } from "../replay/inferred-policy.ts";
import type { ReplayedContainer } from "../replay/replayed-container.ts";

export interface PodMoment {
  readonly observed: PodObservation;
  readonly policy: CrashLoopPolicy;
  /** The kubelet's version by the user's flag or the node, e.g. "v1.37.1"; null if it is unknown. */
  readonly kubeletVersion: string | null;
  /** The policies that may be in force instead of `policy`. */
  readonly rivals: readonly RivalPolicy[];
  /** The reason why no container of the pod can start; null if there is none. */
  readonly obstacle: Obstacle | null;
  /** Now, by the node's clock. */
  readonly atMs: number;
  readonly atBasis: AtBasis;
}

/** `wait` is null if the container is not down, or if the time of its exit is unknown. */
export interface ContainerCase {
  readonly facts: ReplayedContainer;
  readonly state: State;
  readonly wait: CurrentWait | null;
  readonly obstacle: Obstacle | null;
}

export interface PodContext extends PodMoment {
  /** The pod's containers, in the order of the spec. */
  readonly containers: readonly ContainerCase[];
  /** How late the node's container runtime makes starts. */
  readonly runtime: Lateness;
}

/** The starts and waits of the pod's other containers affect when the kubelet syncs the pod. */
export function siblingsOf(own: ContainerCase, { containers }: PodContext): ContainerCase[] {
  return containers.filter((other) => other !== own);
}
