import type { Cause, ContainerExplanation, LastExit, PodExplanation, State } from "../../explain/answer/explanation.ts";
import { formatElapsed } from "./durations.ts";
import type { Tone } from "./paint.ts";

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
    case "crash-looping":
      return urgent.find(({ isCrashLooping }) => isCrashLooping) ?? urgent[0];
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

/** What stands behind the name of a container that is no app container, e.g. " (init)"; else empty. */
export function roleSuffix({ type }: Pick<ContainerExplanation, "type">): string {
  return type === "app" ? "" : ` (${type})`;
}

/** The tone of a container's state. */
export function stateTone(container: ContainerExplanation): Tone {
  if (container.state === "backing-off" || container.state === "failed") return "bad";
  if (isInTrouble(container)) return "uneasy";
  return container.state === "running" ? "good" : "quiet";
}

/** Causes that tell more than the exit code; the others are told by the code alone. */
const CAUSES: Partial<Readonly<Record<Cause, { readonly tag: string; readonly clause: string }>>> = {
  oom: { tag: "OOM", clause: "out of memory" },
  "liveness-probe": { tag: "liveness", clause: "killed by its liveness probe" },
  "startup-probe": { tag: "startup", clause: "killed by its startup probe" },
  "post-start-hook": { tag: "postStart", clause: "its postStart hook failed" },
  "start-error": { tag: "start error", clause: "it could not be started" },
  "restart-all": { tag: "restart all", clause: "stopped with all its pod's containers" },
  "spec-change": { tag: "spec change", clause: "stopped because its spec changed" },
};

/** An exit inside a sentence: "code 1, after 7s", "probably killed by its liveness probe, code 137, after 42s". */
export function exitClause(exit: LastExit): string {
  if (isMadeUp(exit)) return "its end is not recorded";
  const cause = CAUSES[exit.cause]?.clause;
  const guess = exit.causeBasis === "inferred" ? "probably " : "";
  const code = hasOwnCode(exit) ? [`code ${exit.exitCode}`] : [];
  return [...(cause === undefined ? [] : [guess + cause]), ...code, ...runLength(exit)].join(", ");
}

/** An exit inside a cell: "1", "137 OOM". */
export function exitTag(exit: LastExit): string {
  if (isMadeUp(exit)) return "unknown";
  const cause = CAUSES[exit.cause]?.tag;
  return [...(hasOwnCode(exit) ? [`${exit.exitCode}`] : []), ...(cause === undefined ? [] : [cause])].join(" ");
}

/** The kubelet makes up a record for a container that the runtime no longer knows: its code and message say nothing about it. */
export function isMadeUp({ reason }: LastExit): boolean {
  return reason === "ContainerStatusUnknown";
}

/** The kubelet makes up a 137 for the containers that it removes together; nothing has exited with it. */
function hasOwnCode({ cause }: LastExit): boolean {
  return cause !== "restart-all";
}

/** How long the instance ran: "after 7s"; nothing if that is unknown. */
export function runLength({ startedAtMs, finishedAtMs }: LastExit): string[] {
  return startedAtMs === null || finishedAtMs === null ? [] : [`after ${formatElapsed(finishedAtMs - startedAtMs)}`];
}
