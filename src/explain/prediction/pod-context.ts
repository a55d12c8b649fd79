import type { CrashLoopPolicy } from "../../kubelet/policy.ts";
import type { Obstacle } from "../answer/explanation.ts";
import type { AtBasis, PodObservation } from "../observed/observation.ts";
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
