import type { Obstacle, State } from "../answer/explanation.ts";
import { type CurrentWait, currentWait } from "../replay/current-wait.ts";
import type { ContainerFacts } from "../replay/facts.ts";
import { amongRivals } from "../replay/inferred-policy.ts";
import { obstacleOf } from "./obstacle.ts";
import type { PodContext } from "./pod-context.ts";
import { isOver, stateOf } from "./state.ts";

/** A container on its way to an explanation: facts, state and wait, before the siblings' waits are taken into account. */
export interface JudgedWait {
  readonly facts: ContainerFacts;
  readonly state: State;
  readonly wait: CurrentWait | null;
  /** What keeps it from being started. */
  readonly obstacle: Obstacle | null;
}

/** State and wait of one container. */
export function judge(facts: ContainerFacts, context: PodContext): JudgedWait {
  const { observed, policy, rivals, obstacle, atMs } = context;
  const isDown = !facts.isRunning && !isOver(observed.pod);
  const own = isDown && facts.decision === "restart" ? currentWait(facts, policy, atMs) : null;
  const wait = own === null ? null : amongRivals(own, facts.spec.name, rivals, atMs);
  // A node that is not ready says nothing of what a restart would come to.
  const isHeldUp = obstacle !== null && obstacle.kind !== "node";
  const state = stateOf(facts, observed.pod, wait, isHeldUp, atMs);
  return { facts, state, wait, obstacle: obstacleOf(facts, state, obstacle) };
}
