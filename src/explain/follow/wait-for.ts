import type { PodExplanation } from "../answer/explanation.ts";
import type { PodObservation } from "../observed/observation.ts";
import { isOver } from "../prediction/state.ts";
import { recovery } from "./wait-for-recovered.ts";
import { resets } from "./wait-for-reset.ts";
import { restarts } from "./wait-for-restart.ts";

/** What can be waited for, in the words of `--for`. */
export const WAIT_GOALS = ["restart", "reset", "recovered"] as const;

/** One of them. */
export type WaitGoal = (typeof WAIT_GOALS)[number];

/** A pod as it was seen, with its explanation for the same moment. */
export interface Look {
  readonly observed: PodObservation;
  readonly explained: PodExplanation;
  readonly atMs: number;
}

/** What a look says of the thing that is waited for. */
export type WaitState =
  | { readonly kind: "waiting" }
  /** `start` is the restartCount of the instance that it is about; null where it is about none. */
  | {
      readonly kind: "happened";
      readonly container: string | null;
      readonly start: number | null;
      readonly atMs: number;
    }
  /** It cannot happen any more: why, as the end of a sentence about the pod. */
  | { readonly kind: "impossible"; readonly because: string };

/** Judges one look after another, in order; what was at the first look is what newer things are compared with. */
export type WaitCondition = (look: Look) => WaitState;

const CONDITIONS: Readonly<Record<WaitGoal, (container: string | undefined) => WaitCondition>> = {
  restart: restarts,
  reset: resets,
  recovered: recovery,
};

/**
 * The condition for `goal`: of one container, or without a name of the pod. restart: an instance newer than those of the
 * first look. reset: no container has a back-off entry any more. recovered: every container runs past its reset, and the
 * pod is Ready.
 */
export function conditionFor(goal: WaitGoal, container: string | undefined): WaitCondition {
  const condition = CONDITIONS[goal](container);
  return (look) => {
    const state = condition(look);
    return state.kind !== "happened" && isOver(look.observed.pod) ? overFor(look.observed) : state;
  };
}

function overFor({ pod }: PodObservation): WaitState {
  if (pod.deletionAtMs !== null) return { kind: "impossible", because: "it is being deleted" };
  return { kind: "impossible", because: pod.phase === "Failed" ? "it has failed for good" : "it has completed" };
}
