import { isLostByRuntime, isStatusUnknown, windowsStatusOf } from "../../kubelet/exit-codes.ts";
import { formatBriefDuration } from "../../kubelet/go-duration.ts";
import { quoted } from "../answer/excerpt.ts";
import { type Prose, prose } from "../answer/prose.ts";
import { TELLING_CAUSES, tellingLine } from "../answer/telling-line.ts";
import type { ExitCause } from "../history/exit-cause.ts";
import { runLengthMs } from "../history/runs.ts";
import type { TerminatedState } from "../observed/observation.ts";
import type { Prediction } from "../prediction/prediction.ts";

const MADE_UP_MESSAGES: readonly ExitCause["cause"][] = ["restart-all", "start-error"];

const TELLING_CODES: readonly number[] = [126, 127, 255];

export function crashOf(exit: TerminatedState, exitCause: ExitCause, meaning: Prose, prediction: Prediction): Prose {
  const { cause, stoppedWith, offMs } = exitCause;
  const { exitCode } = exit;
  const message = exit.message === null || isData(exit.message) ? null : exit.message;
  const isMessageMadeUp = isLostByRuntime(exit) || isStatusUnknown(exit) || MADE_UP_MESSAGES.includes(cause);
  if (isMessageMadeUp) return meaning;
  const isByItself = TELLING_CAUSES.includes(cause) && stoppedWith === undefined && offMs === undefined;
  if (!isByItself || exitCode === 0) {
    return message === null ? meaning : prose`${meaning} Termination message: ${quoted(message)}`;
  }
  const lines = logLinesOf(prediction);
  const ofMessage = tellingLine((message ?? "").split("\n"));
  const line = ofMessage ?? tellingLine(lines ?? []);
  const ran = exit.startedAtMs === null ? "" : ` after ${formatBriefDuration(runLengthMs(exit))}`;
  const isBare = cause === "exited" && windowsStatusOf(exitCode) === null && !TELLING_CODES.includes(exitCode);
  if (line === null) {
    if (lines === null) return meaning;
    return isBare ? `Exit code ${exitCode}${ran}, without a line of log.` : prose`${meaning} It wrote no log.`;
  }
  const ofLog = line.isFailure ? "Last error" : "Last line";
  const said = `${ofMessage === null ? ofLog : "Termination message"}: ${line.text}`;
  if (cause === "signal" || !(isBare || line.isFailure)) return prose`${meaning} ${said}`;
  return line.isFailure ? `Exit code ${exitCode}${ran}: ${line.text}` : `Exit code ${exitCode}${ran}. ${said}`;
}

/** Assumed: a JSON array is data for a program, e.g. the results of a Tekton step. */
function isData(message: string): boolean {
  if (!message.trimStart().startsWith("[")) return false;
  try {
    return Array.isArray(JSON.parse(message));
  } catch {
    return false;
  }
}

function logLinesOf({ facts: { spec }, observed: { logs = [] } }: Prediction): readonly string[] | null {
  const log = logs.find(({ container, instance }) => container === spec.name && instance === "last-exit");
  return log === undefined || "why" in log.text ? null : log.text.lines;
}
