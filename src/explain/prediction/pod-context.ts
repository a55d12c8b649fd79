import type { CrashLoopPolicy } from "../../kubelet/policy.ts";
import type { Obstacle, State } from "../answer/explanation.ts";
import type { AtBasis, PodObservation } from "../observed/observation.ts";
import type { CurrentWait } from "../replay/current-wait.ts";
import type { ContainerFacts } from "../replay/facts.ts";
import type { RivalPolicy } from "../replay/inferred-policy.ts";

/** The observation of a pod, the rules of its kubelet, and "now". */
export interface PodMoment {
  readonly observed: PodObservation;
  readonly policy: CrashLoopPolicy;
  /** The policies that may be in force instead; empty if the policy is known. */
  readonly rivals: readonly RivalPolicy[];
  /** The obstacle to the start of all containers of the pod. */
  readonly obstacle: Obstacle | null;
  /** Now, by the node's clock. */
  readonly atMs: number;
  readonly atBasis: AtBasis;
}

/** A container after the replay: its state and wait by its own history alone. */
export interface JudgedWait {
  readonly facts: ContainerFacts;
  readonly state: State;
  readonly wait: CurrentWait | null;
  readonly obstacle: Obstacle | null;
}

/** A pod at one moment with all of its containers: the input of every prediction. */
export interface PodContext extends PodMoment {
  /** In the order of the spec. */
  readonly judged: readonly JudgedWait[];
}

/** The pod's other containers: their starts and waits decide, too, when the kubelet syncs the pod. */
export function siblingsOf(own: JudgedWait, { judged }: PodContext): JudgedWait[] {
  return judged.filter((other) => other !== own);
}
