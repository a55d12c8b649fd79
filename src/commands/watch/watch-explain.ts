import type { Connection } from "../../cluster/connection/connection.ts";
import type { Timers } from "../../cluster/connection/timers.ts";
import { UserError } from "../../errors.ts";
import { renderJsonLine } from "../../render/json/json.ts";
import type { RenderOptions } from "../../render/page/page.ts";
import { changeKey, lastingLoss, renderLive } from "../../render/watch/live.ts";
import { newsLines } from "../../render/watch/live-lines.ts";
import { areLogsAsked, type ExplainFlags } from "../flags/explain-flags.ts";
import {
  connectionNotes,
  ifChanged,
  type ScreenSize,
  showFrames,
  showIn,
  WATCHED_FORMS,
  watchedForm,
} from "./watch-output.ts";
import { type Frame, type SessionRequest, WatchSession } from "./watch-session.ts";

interface WatchRequest extends Omit<SessionRequest, "first"> {
  readonly output: "table" | "json";
  readonly options: RenderOptions;
  readonly note: (sentence: string) => void;
}

/**
 * Prints a pod's explanation again whenever it changes. Returns the exit code: 130 after Ctrl-C, 0 when the pod or the
 * reader of stdout is gone.
 */
export async function watchExplanation(connection: Connection, request: WatchRequest, timers: Timers): Promise<number> {
  const { output, options, note, observation } = request;
  const [first] = observation.pods;
  if (first === undefined) throw new UserError("needsOnePod", "--watch", 0, "explain POD --watch");
  const noteLoss = connectionNotes(note);
  const show = await showIn<Frame>(output, {
    screen: (frame, size, isLast) => screenOf(frame, { ...options, ...size }, isLast),
    lines: linesOf(options),
    json: ifChanged(
      ({ explanation, end }) => `${explanation.pods.map(changeKey)} ${end}`,
      ({ explanation }) => renderJsonLine(explanation),
    ),
    noteLoss: ({ connectionLoss, nowMs }) => noteLoss(lastingLoss(connectionLoss, nowMs)),
  });
  return showFrames(connection, new WatchSession(connection, { ...request, first }, timers), show);
}

/** Returns the output format of a watch. Throws a usage error for a flag that --watch excludes. */
export function watchableOutput(flags: ExplainFlags): "table" | "json" {
  const { output } = flags;
  const others = [
    { flag: "-f", isGiven: flags.filename !== undefined },
    { flag: "--at", isGiven: flags.at !== undefined },
    { flag: "--exit-code", isGiven: flags["exit-code"] },
    { flag: "--logs", isGiven: areLogsAsked(flags) },
    { flag: "--report", isGiven: flags.report !== undefined },
  ];
  const other = others.find(({ isGiven }) => isGiven);
  if (other !== undefined) throw new UserError("notWithWatch", other.flag);
  return watchedForm(output, WATCHED_FORMS);
}

export function screenOf(frame: Frame, options: RenderOptions & ScreenSize, isLast: boolean): string {
  return renderLive(isLast && frame.end === null ? { ...frame, end: "stopped" } : frame, options);
}

export function linesOf(options: RenderOptions): (frame: Frame) => string {
  let shown: Frame | null = null;
  return (frame) => {
    const lines = newsLines(shown, frame, options);
    shown = frame;
    return lines.map((line) => `${line}\n`).join("");
  };
}
