import type {
  Cause,
  ContainerExplanation,
  LastExit,
  Obstacle,
  PodExplanation,
  State,
} from "../../explain/answer/explanation.ts";
import { formatElapsed } from "./durations.ts";
import type { Page } from "./page.ts";
import type { Tone } from "./paint.ts";

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

/** Those in trouble first, the most urgent of them at the top, with the longest delay; otherwise in the pod's order. */
export function byUrgency(containers: readonly ContainerExplanation[]): ContainerExplanation[] {
  const waits = ({ state, delayMs }: ContainerExplanation): number => (state === "backing-off" ? (delayMs ?? 0) : 0);
  return containers.toSorted(
    (a, b) =>
      Number(isInTrouble(b)) - Number(isInTrouble(a)) || URGENCY[a.state] - URGENCY[b.state] || waits(b) - waits(a),
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

/** A container's state in words. */
export function stateWords(state: State): string {
  return state === "blocked" ? "waiting for setup" : state.replace("-", " ");
}

export function stateTone(container: ContainerExplanation): Tone {
  if (container.state === "backing-off" || container.state === "failed") return "bad";
  if (isInTrouble(container)) return "uneasy";
  return container.state === "running" ? "good" : "quiet";
}

/** How a cause is told that says more than the exit code. */
interface CauseWords {
  readonly tag: string;
  /** What stands in narrow cells instead. */
  readonly brief?: string;
  readonly clause: string;
  /** It is the answer by itself, so that the code stands behind it. */
  readonly leads?: boolean;
}

export const CAUSES: Partial<Readonly<Record<Cause, CauseWords>>> = {
  oom: { tag: "OOMKilled", clause: "OOMKilled", leads: true },
  "liveness-probe": { tag: "liveness probe", brief: "liveness", clause: "killed by its liveness probe" },
  "startup-probe": { tag: "startup probe", brief: "startup", clause: "killed by its startup probe" },
  "post-start-hook": { tag: "postStart hook", brief: "postStart", clause: "killed because its postStart hook failed" },
  "start-error": { tag: "StartError", clause: "failed to start", leads: true },
  "restart-all": { tag: "RestartAllContainers", brief: "RestartAll", clause: "stopped by RestartAllContainers" },
  "spec-change": { tag: "spec change", clause: "stopped because its spec changed" },
};

/** An exit as a verb: "exited with code 1 after 7s", "was probably killed by its liveness probe (exit code 137) after 42s". */
export function exitClause(exit: LastExit): string {
  if (isMadeUp(exit)) return "ended in a way that is not recorded";
  const cause = CAUSES[exit.cause]?.clause;
  const ran = runLength(exit);
  const after = ran === null ? "" : ` after ${ran}`;
  if (cause === undefined) return `exited with code ${exit.exitCode}${after}`;
  const guess = exit.causeBasis === "inferred" ? "probably " : "";
  const code = hasOwnCode(exit) ? ` (exit code ${exit.exitCode})` : "";
  return `${exit.cause === "start-error" ? "" : "was "}${guess}${cause}${code}${after}`;
}

/** An exit inside a cell: "1", "OOMKilled (137)", "137 (liveness probe)". */
export function exitTag(exit: LastExit, isBrief = false): string {
  if (isMadeUp(exit)) return "unknown";
  const known = CAUSES[exit.cause];
  const cause = (isBrief ? known?.brief : undefined) ?? known?.tag;
  if (!hasOwnCode(exit)) return cause ?? "";
  if (cause === undefined) return `${exit.exitCode}`;
  return known?.leads ? `${cause} (${exit.exitCode})` : `${exit.exitCode} (${cause})`;
}

/** The kubelet makes up a record for a container that the runtime no longer knows: its code and message say nothing about it. */
export function isMadeUp({ reason }: LastExit): boolean {
  return reason === "ContainerStatusUnknown";
}

/** The kubelet makes up a 137 for the containers that it removes together; nothing has exited with it. */
function hasOwnCode({ cause }: LastExit): boolean {
  return cause !== "restart-all";
}

/** How long the instance ran: "7s"; null if that is unknown. */
export function runLength({ startedAtMs, finishedAtMs }: LastExit): string | null {
  return startedAtMs === null || finishedAtMs === null ? null : formatElapsed(finishedAtMs - startedAtMs);
}

/** A failure that was last reported longer ago than this may be over. */
const RECENT_MS = 600_000;

/** What keeps a container from being started: ': configmap "absent" not found (FailedMount, 12 times in 25m)'; empty without. */
export function obstacleWords(obstacle: Obstacle | null | undefined, { nowMs }: Page): string {
  if (obstacle === null || obstacle === undefined) return "";
  const { kind, reason, cause, repeated } = obstacle;
  const said = cause === "" ? "" : `: ${cause}`;
  if (kind === "node") return said;
  return `${said} (${[reason, ...(repeated === undefined ? [] : repetition(repeated, nowMs))].join(", ")})`;
}

function repetition({ count, firstAtMs, lastAtMs }: NonNullable<Obstacle["repeated"]>, nowMs: number): string[] {
  const span = firstAtMs === null || lastAtMs === null ? "" : ` in ${formatElapsed(lastAtMs - firstAtMs)}`;
  const isOld = lastAtMs !== null && nowMs - lastAtMs > RECENT_MS;
  return [
    ...(count > 1 ? [`${count} times${span}`] : []),
    ...(isOld ? [`last ${formatElapsed(nowMs - lastAtMs)} ago`] : []),
  ];
}
