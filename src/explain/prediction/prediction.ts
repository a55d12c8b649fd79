import type { CrashLoopPolicy } from "../../kubelet/policy.ts";
import type { Pace } from "../../kubelet/start-lateness.ts";
import type { ImagePull, NextExit, Reset } from "../answer/explanation.ts";
import type { PodObservation } from "../observed/observation.ts";
import { type Delay, delayOf, ifItExitsOf, resetOf, UNKNOWN_DELAY } from "./entry-now.ts";
import { nextPull } from "./next-attempt.ts";
import { type PendingKill, pendingKill } from "./next-exit.ts";
import { nextPullOf, nextRestartOf } from "./next-restart.ts";
import type { JudgedWait, PodContext } from "./pod-context.ts";
import { holdingSidecar, type RestartAllCycle, restartAllCycle } from "./sibling-starts.ts";
import { runtimePace } from "./start-pace.ts";
import type { NextStart } from "./start-window.ts";
import { isOver } from "./state.ts";

/** All that is known and foretold of a container, before it is put into words. */
export interface Prediction extends JudgedWait, Delay, NextStart {
  readonly observed: PodObservation;
  readonly policy: CrashLoopPolicy;
  /** The waits that its next exit leads to, while it runs and restarts after that. */
  readonly ifItExits: readonly NextExit[] | null;
  readonly reset: Reset | null;
  readonly imagePull: ImagePull | null;
  /** The kill of the instance that runs; null if none is in progress. */
  readonly kill: PendingKill | null;
  /** The sidecar that is down and holds it back; null if none does. */
  readonly heldBackBy: string | null;
  /** The container that restarts all others with it, over and over; null if none does. */
  readonly restartAll: RestartAllCycle | null;
  /** How fast the node's container runtime is. */
  readonly runtime: Pace;
}

/** Predicts what happens to a container next, with the waits of its siblings at hand. */
export function predict(judged: JudgedWait, siblings: readonly JudgedWait[], context: PodContext): Prediction {
  const { observed, policy, atMs } = context;
  const { facts, state, wait } = judged;
  const isDone = isOver(observed.pod);
  const ifItExits = isDone ? null : ifItExitsOf(judged, context);
  const pull = state === "starting" && facts.waiting === "image-pull" ? nextPull(facts.spec, context) : null;
  return {
    ...judged,
    observed,
    policy,
    ...(isDone ? UNKNOWN_DELAY : delayOf(judged, ifItExits)),
    ...(pull === null ? nextRestartOf(judged, siblings, context) : nextPullOf(pull, context)),
    ifItExits,
    reset: isDone ? null : resetOf(judged, policy, atMs),
    imagePull: pull?.imagePull ?? null,
    kill: pendingKill(facts, observed),
    heldBackBy: wait === null ? null : heldBackBy(judged, siblings, policy),
    restartAll: wait === null && state !== "running" ? null : restartAllCycle(siblings, context),
    runtime: runtimePace([facts, ...siblings.map((sibling) => sibling.facts)], context),
  };
}

function heldBackBy(judged: JudgedWait, siblings: readonly JudgedWait[], policy: CrashLoopPolicy): string | null {
  const sidecar = holdingSidecar(judged, siblings, policy);
  return sidecar === null || sidecar.facts.isRunning ? null : sidecar.facts.spec.name;
}
