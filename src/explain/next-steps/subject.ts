import type { ContainerExplanation, PodExplanation, State } from "../answer/explanation.ts";
import type { PodObservation } from "../observed/observation.ts";
import type { PodCommands } from "./pod-commands.ts";

/** What the steps are about. */
export interface Subject {
  readonly pod: PodExplanation;
  readonly observed: PodObservation;
  /** The container that the verdict is about; undefined in a pod without any. */
  readonly container: ContainerExplanation | undefined;
  readonly atMs: number;
  readonly commands: PodCommands;
}

/** The most urgent first. */
const STATES: readonly State[] = [
  "backing-off",
  "restarting",
  "failed",
  "starting",
  "unknown",
  "running",
  "blocked",
  "completed",
];

/** The container that the verdict is about. */
export function subjectOf({ verdict, containers }: PodExplanation): ContainerExplanation | undefined {
  const rank = ({ state, imagePull, reset }: ContainerExplanation): number => {
    if (verdict === "image-pull-back-off" && imagePull !== null) return -1;
    if (verdict === "start-failing" && state === "starting") return -1;
    return STATES.indexOf(state) - (state === "running" && reset !== null ? 0.5 : 0);
  };
  return containers.toSorted((a, b) => rank(a) - rank(b))[0];
}
