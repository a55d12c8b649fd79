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
  readonly kubeletVersion: string | null;
  readonly rivals: readonly RivalPolicy[];
  /** The assumed reason why no container of the pod can start. */
  readonly obstacle: Obstacle | null;
  /** Now, by the node's clock. */
  readonly atMs: number;
  readonly atBasis: AtBasis;
}

export interface ContainerCase {
  readonly facts: ReplayedContainer;
  readonly state: State;
  readonly wait: CurrentWait | null;
  readonly obstacle: Obstacle | null;
}

export interface PodContext extends PodMoment {
  /** In the order of `pod.containers`. */
  readonly containers: readonly ContainerCase[];
  readonly runtimeLateness: Lateness;
}

export function siblingsOf(own: ContainerCase, { containers }: PodContext): ContainerCase[] {
  return containers.filter((other) => other !== own);
}
