import type { ContainerExplanation, PodExplanation, State } from "../../explain/answer/explanation.ts";

/** The most urgent first. */
const URGENCY: Readonly<Record<State, number>> = {
  "backing-off": 0,
  restarting: 1,
  failed: 2,
  starting: 3,
  unknown: 4,
  running: 5,
  blocked: 6,
  completed: 7,
};

/** What a container waits for that simply has its start before it. */
const ORDINARY_WAITS: readonly (string | null)[] = [null, "ContainerCreating", "PodInitializing"];

/** Whether a reader has to know more about this container than that it is there. */
export function isInTrouble(container: ContainerExplanation): boolean {
  switch (container.state) {
    case "backing-off":
    case "restarting":
    case "failed":
    case "unknown":
      return true;
    case "starting":
      return (
        container.imagePull !== null ||
        (container.obstacle ?? null) !== null ||
        !ORDINARY_WAITS.includes(container.reported)
      );
    case "running":
      return container.reset !== null || container.lastExit?.cause === "restart-all";
    default:
      return false;
  }
}

/** Whether it is the whole pod that cannot be started: then all that is said of this container holds for its siblings. */
export function isHeldUp({ obstacle = null }: ContainerExplanation): boolean {
  return obstacle !== null && obstacle.kind !== "container";
}

/** Those in trouble first, the most urgent of them at the top; otherwise in the pod's order. */
export function byUrgency(containers: readonly ContainerExplanation[]): ContainerExplanation[] {
  return containers.toSorted(
    (a, b) => Number(isInTrouble(b)) - Number(isInTrouble(a)) || URGENCY[a.state] - URGENCY[b.state],
  );
}

/** The container that the pod's verdict is about; undefined in a pod without any. */
export function mainContainer(pod: PodExplanation): ContainerExplanation | undefined {
  const urgent = byUrgency(pod.containers);
  switch (pod.verdict) {
    case "image-pull-back-off":
      return urgent.find(({ imagePull }) => imagePull !== null) ?? urgent[0];
    case "start-failing":
      return urgent.find(({ state }) => state === "starting") ?? urgent[0];
    case "failed":
      return urgent.find(({ state }) => state === "failed") ?? urgent[0];
    default:
      return urgent[0];
  }
}
