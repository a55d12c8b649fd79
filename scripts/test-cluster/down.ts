import type { ContainerStatus, PodSnapshot } from "../../src/explain/observed/observation.ts";

/** A container that is down after an exit; `exitedId` tells this wait from all others. */
interface DownContainer {
  readonly name: string;
  readonly exitedId: string;
}

/** The containers of a pod that are down after an exit, whether they will restart or not. */
export function downContainers(pod: PodSnapshot): DownContainer[] {
  return pod.statuses.flatMap((status) => {
    const exitedId = exitedIdOf(status);
    return exitedId === null ? [] : [{ name: status.name, exitedId }];
  });
}

/** While it waits, the record of the last exit is in lastState. */
function exitedIdOf({ state, lastState }: ContainerStatus): string | null {
  if (state?.kind === "terminated") return state.containerID;
  return state?.kind === "waiting" ? (lastState?.containerID ?? null) : null;
}
