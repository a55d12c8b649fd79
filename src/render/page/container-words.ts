import type { Cause, ContainerExplanation, LastExit, Obstacle, State } from "../../explain/answer/explanation.ts";
import { timesWords } from "../../explain/answer/prose.ts";
import { isFailing, troubleOf } from "../../explain/triage.ts";
import { isStatusUnknown } from "../../kubelet/exit-codes.ts";
import { formatElapsed } from "./durations.ts";
import type { Moment } from "./page.ts";
import type { Tone } from "./paint.ts";

export function roleSuffix({ type }: Pick<ContainerExplanation, "type">): string {
  return type === "app" ? "" : ` (${type})`;
}

export function stateWords(state: State, canStart = true): string {
  if (!canStart) return "can't start";
  return state === "blocked" ? "waiting for setup" : state.replace("-", " ");
}

export function stateTone(container: ContainerExplanation): Tone {
  if (container.state === "backing-off" || container.state === "failed") return "bad";
  if (isFailing(container) || troubleOf(container) === "not-ready") return "uneasy";
  return container.state === "running" ? "good" : "quiet";
}

interface CauseWords {
  readonly tag: string;
  readonly brief?: string;
  readonly clause: string;
  /** Whether the tag comes before the exit code, e.g. "OOMKilled (137)", but "137 (liveness probe)". */
  readonly isBeforeCode?: boolean;
}

export const EXIT_CAUSES: Partial<Readonly<Record<Cause, CauseWords>>> = {
  oom: { tag: "OOMKilled", clause: "OOMKilled", isBeforeCode: true },
  "liveness-probe": { tag: "liveness probe", brief: "liveness", clause: "killed by its liveness probe" },
  "startup-probe": { tag: "startup probe", brief: "startup", clause: "killed by its startup probe" },
  "post-start-hook": { tag: "postStart hook", brief: "postStart", clause: "killed because its postStart hook failed" },
  "start-error": { tag: "StartError", clause: "failed to start", isBeforeCode: true },
  "restart-all": { tag: "RestartAllContainers", brief: "RestartAll", clause: "stopped by RestartAllContainers" },
  "spec-change": { tag: "spec change", clause: "stopped because its spec changed" },
};

/** The kubelet can make up exit code 137 for a container that it has removed because of RestartAllContainers. */
const CAUSE_WITHOUT_CODE: Cause = "restart-all";

export function exitClause(exit: LastExit): string {
  if (isStatusUnknown(exit)) return "ended in a way that is not recorded";
  const cause = EXIT_CAUSES[exit.cause]?.clause;
  const ran = runLength(exit);
  const after = ran === null ? "" : ` after ${ran}`;
  if (cause === undefined) return `exited with code ${exit.exitCode}${after}`;
  const guess = exit.causeBasis === "inferred" ? "probably " : "";
  // In "hook failed (exit code 1)", the code would seem to be the hook's.
  if (exit.cause === "post-start-hook")
    return `was ${guess}${cause}, and ended with exit code ${exit.exitCode}${after}`;
  const code = exit.cause === CAUSE_WITHOUT_CODE ? "" : ` (exit code ${exit.exitCode})`;
  return `${exit.cause === "start-error" ? "" : "was "}${guess}${cause}${code}${after}`;
}

export function exitTag(exit: LastExit, isBrief = false, remark = ""): string {
  const [what, ...more] = exitParts(exit, isBrief);
  const remarks = [...more, remark].filter((each) => each !== "");
  return remarks.length === 0 ? `${what}` : `${what} (${remarks.join(", ")})`;
}

function exitParts(exit: LastExit, isBrief: boolean): (string | number)[] {
  if (isStatusUnknown(exit)) return ["unknown"];
  const known = EXIT_CAUSES[exit.cause];
  const cause = (isBrief ? known?.brief : undefined) ?? known?.tag;
  if (cause === undefined) return [exit.exitCode];
  if (exit.cause === CAUSE_WITHOUT_CODE) return [cause];
  return known?.isBeforeCode ? [cause, exit.exitCode] : [exit.exitCode, cause];
}

export function runLength({ startedAtMs, finishedAtMs }: Pick<LastExit, "startedAtMs" | "finishedAtMs">) {
  return startedAtMs === null || finishedAtMs === null ? null : formatElapsed(Math.max(0, finishedAtMs - startedAtMs));
}

/** Assumed: an obstacle may be over if its last event is older than this. */
const RECENT_MS = 600_000;

export function obstacleWords(obstacle: Obstacle | null | undefined, { nowMs }: Pick<Moment, "nowMs">): string {
  if (obstacle === null || obstacle === undefined) return "";
  const { kind, reason, cause, repeated } = obstacle;
  const said = cause && `: ${cause}`;
  if (kind === "node") return said;
  return `${said} (${[reason, ...(repeated ? repetition(repeated, nowMs) : [])].join(", ")})`;
}

function repetition(
  { count, firstAtMs, lastAtMs, isLowerBound }: NonNullable<Obstacle["repeated"]>,
  nowMs: number,
): string[] {
  const span = firstAtMs === null || lastAtMs === null ? "" : ` in ${formatElapsed(lastAtMs - firstAtMs)}`;
  const isOld = lastAtMs !== null && nowMs - lastAtMs > RECENT_MS;
  return [
    ...(count > 1 ? [`${timesWords(count, isLowerBound)}${span}`] : []),
    ...(isOld ? [`last ${isLowerBound ? "reported " : ""}${formatElapsed(nowMs - lastAtMs)} ago`] : []),
  ];
}
