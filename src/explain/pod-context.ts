import type { CrashLoopPolicy } from "../kubelet/policy.ts";
import type { PodObservation } from "./observation.ts";

/** What every step of a pod's explanation asks: what was seen, the rules of its kubelet, and when that is. */
export interface PodContext {
  readonly observed: PodObservation;
  readonly policy: CrashLoopPolicy;
  /** Now, by the node's clock. */
  readonly atMs: number;
}
