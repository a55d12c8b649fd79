import type { CrashLoopPolicy } from "../../kubelet/policy.ts";
import type { Obstacle, State } from "../answer/explanation.ts";
import type { AtBasis, PodObservation } from "../observed/observation.ts";
import type { CurrentWait } from "../replay/current-wait.ts";
import type { ContainerFacts } from "../replay/facts.ts";
import type { RivalPolicy } from "../replay/inferred-policy.ts";

/** What every step of a pod's explanation asks: what was seen, the rules of its kubelet, and when that is. */
export interface PodContext {
  readonly observed: PodObservation;
  readonly policy: CrashLoopPolicy;
  /** What may be in force instead; empty where the policy is known. */
  readonly rivals: readonly RivalPolicy[];
  /** What keeps all containers of the pod from being started. */
  readonly obstacle: Obstacle | null;
  /** Now, by the node's clock. */
  readonly atMs: number;
  readonly atBasis: AtBasis;
}

/** A container whose history has been replayed: its state and wait, before the siblings' waits are taken into account. */
export interface JudgedWait {
  readonly facts: ContainerFacts;
  readonly state: State;
  readonly wait: CurrentWait | null;
  /** What keeps it from being started. */
  readonly obstacle: Obstacle | null;
}
