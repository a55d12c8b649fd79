import type { Connection } from "../../cluster/connection/connection.ts";
import type { Timers } from "../../cluster/connection/timers.ts";
import { UserError } from "../../errors.ts";
import { renderJsonLine } from "../../render/json/json.ts";
import type { RenderOptions } from "../../render/page/page.ts";
import { changeKey, lastingTrouble, renderLive } from "../../render/watch/live.ts";
import { newsLines } from "../../render/watch/live-lines.ts";
import { areLogsAsked, type ExplainFlags } from "../flags/explain-flags.ts";
import { type ScreenSize, showFrames, showIn, TroubleNotes } from "./watch-output.ts";
import { type Frame, type SessionRequest, WatchSession } from "./watch-session.ts";

export interface WatchRequest extends Omit<SessionRequest, "first"> {
  readonly output: "table" | "json";
  readonly look: RenderOptions;
  readonly note: (sentence: string) => void;
}

/**
 * Explains a pod again and again as it changes, until it is gone. The exit code: 0 when the pod is gone (it was explained
 * until then) or when nobody reads on, 130 after ^C.
 */
export async function watchExplanation(connection: Connection, request: WatchRequest, timers: Timers): Promise<number> {
  const { output, look, note, observation } = request;
  const [first, ...others] = observation.pods;
  if (first === undefined || others.length > 0)
    throw new UserError("needsOnePod", "--watch", observation.pods.length, "explain POD --watch");
  const show = await showIn<Frame>(output, {
    screen: (frame, size, isLast) => screenOf(frame, { ...look, ...size }, isLast),
    lines: linesOf(look),
    json: jsonLines(),
    troubleOf: ({ trouble, explanation }) => lastingTrouble(trouble, explanation.atMs),
    notes: new TroubleNotes("the pod", note),
  });
  return showFrames(connection, new WatchSession(connection, { ...request, first }, timers), show);
}

/** The form in which a watch is printed; a UserError for what makes no sense together with --watch. */
export function watchableOutput(flags: ExplainFlags): "table" | "json" {
  const { output } = flags;
  const others = [
    { flag: "-f", isGiven: flags.filename !== undefined },
    { flag: "--at", isGiven: flags.at !== undefined },
    { flag: "--exit-code", isGiven: flags["exit-code"] },
    { flag: "--logs", isGiven: areLogsAsked(flags) },
    { flag: "--what-if", isGiven: flags["what-if"] !== undefined },
    { flag: "--report", isGiven: flags.report !== undefined },
  ];
  const other = others.find(({ isGiven }) => isGiven);
  if (other !== undefined) throw new UserError("notWithWatch", other.flag);
  if (output !== "table" && output !== "json") throw new UserError("notWithWatch", `-o ${output}`);
  return output;
}

/** The screen of a frame; at the end of a watch that the reader has stopped, it says so. */
export function screenOf(frame: Frame, look: RenderOptions & ScreenSize, isLast: boolean): string {
  return renderLive(isLast && frame.end === null ? { ...frame, end: "stopped" } : frame, look);
}

/** One line for each change since the frame before. */
export function linesOf(look: RenderOptions): (frame: Frame) => string {
  let shown: Frame | null = null;
  return (frame) => {
    const lines = newsLines(shown, frame, look);
    shown = frame;
    return lines.map((line) => `${line}\n`).join("");
  };
}

/** One Explanation on a line, whenever something in it has changed that is not the mere passing of time. */
function jsonLines(): (frame: Frame) => string {
  let shown = "";
  return ({ explanation, end }) => {
    const key = `${explanation.pods.map(changeKey)} ${end}`;
    if (key === shown) return "";
    shown = key;
    return renderJsonLine(explanation);
  };
}
