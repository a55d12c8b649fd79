import type { CrashLoopPolicy } from "../../kubelet/policy.ts";
import type { Pace } from "../../kubelet/start-lateness.ts";
import type { Cause, ImagePull, NextExit, Obstacle, Overdue, Reset, State } from "../answer/explanation.ts";
import type { PodObservation } from "../observed/observation.ts";
import type { PendingKill } from "../prediction/next-exit.ts";
import type { RestartAllCycle } from "../prediction/sibling-starts.ts";
import type { CurrentWait } from "../replay/current-wait.ts";
import type { ContainerFacts } from "../replay/facts.ts";

/** What the explanation of a container has found by the time its mechanism is put into words. */
export interface Findings {
  readonly facts: ContainerFacts;
  readonly observed: PodObservation;
  readonly policy: CrashLoopPolicy;
  readonly state: State;
  readonly wait: CurrentWait | null;
  /** How fast the node's container runtime is. */
  readonly runtime: Pace;
  /** The kill of the instance that runs; null if none is in progress. */
  readonly kill: PendingKill | null;
  readonly delayMs: number | null;
  readonly ifItExits: readonly NextExit[] | null;
  readonly cause: Cause | null;
  readonly reset: Reset | null;
  readonly imagePull: ImagePull | null;
  readonly overdue: Overdue | null;
  readonly obstacle: Obstacle | null;
  /** The sidecar that is down and holds it back; null if none does. */
  readonly heldBackBy: string | null;
  /** The container that restarts all others with it, over and over; null if none does. */
  readonly restartAll: RestartAllCycle | null;
}
