import type { Connection } from "../../cluster/connection/connection.ts";
import type { Timers } from "../../cluster/connection/timers.ts";
import { UserError } from "../../errors.ts";
import { explanationToJson, jsonLine } from "../../render/json/json.ts";
import type { RenderOptions } from "../../render/page/page.ts";
import { changeKey, type LiveFrame, lastingLoss, noPodsScreen, renderLive } from "../../render/watch/live.ts";
import { newsLines } from "../../render/watch/live-lines.ts";
import { areLogsAsked, type ExplainFlags } from "../flags/explain-flags.ts";
import { ifChanged, type ScreenSize, showFrames, showIn, WATCHED_FORMS, watchedForm } from "./watch-output.ts";
import { WatchSession } from "./watch-session.ts";
import { type PodsFrame, type WorkloadRequest, WorkloadSession } from "./workload-session.ts";

interface WatchRequest extends WorkloadRequest {
  /** Whether to watch only the first pod, and to end when that pod is gone. */
  readonly isOnePod: boolean;
  readonly output: "table" | "json";
  readonly options: RenderOptions;
  readonly note: (sentence: string) => void;
}

/** Returns the exit code. */
export async function watchExplanation(connection: Connection, request: WatchRequest, timers: Timers): Promise<number> {
  const { isOnePod, output, options, note, observation } = request;
  const [first] = observation.pods;
  if (first === undefined) throw new UserError("needsOnePod", "--watch", 0, "explain POD --watch");
  const show = await showIn<PodsFrame>(output, {
    screen: (frame, size, isLast) => screenOf(frame, { ...options, ...size }, isLast),
    lines: linesOf(options, isOnePod),
    json: ifChanged(
      ({ frames }) =>
        frames
          .flatMap(({ explanation }) => explanation.pods.map(changeKey))
          .sort()
          .join(),
      jsonOf,
    ),
    lossOf: ({ frames: [most], nowMs }) => lastingLoss(most?.connectionLoss ?? null, nowMs),
    note,
  });
  const session = isOnePod
    ? ofOnePod(new WatchSession(connection, { ...request, first }, timers))
    : new WorkloadSession(connection, request, timers);
  return showFrames(connection, session, show);
}

function ofOnePod(session: WatchSession) {
  async function* frames(): AsyncGenerator<PodsFrame> {
    for await (const frame of session.frames()) yield { frames: [frame], nowMs: frame.nowMs };
  }
  return { frames, end: () => session.end() };
}

export function watchableOutput(flags: ExplainFlags): "table" | "json" {
  return watchedForm(flags.output, WATCHED_FORMS, {
    "-f": flags.filename !== undefined,
    "--at": flags.at !== undefined,
    "--exit-code": Boolean(flags["exit-code"]),
    "--logs": areLogsAsked(flags),
    "--report": flags.report !== undefined,
  });
}

export function screenOf({ frames, nowMs }: PodsFrame, options: RenderOptions & ScreenSize, isLast: boolean): string {
  const [first, ...others] = frames;
  if (first === undefined) return noPodsScreen(nowMs, isLast, options);
  return renderLive(isLast && first.end === null ? { ...first, end: "stopped" } : first, options, others);
}

export function linesOf(options: RenderOptions, isOnePod: boolean): (frame: Pick<PodsFrame, "frames">) => string {
  let shown = new Map<string | null, LiveFrame>();
  return ({ frames }) => {
    const news = frames.flatMap((frame) =>
      newsLines(shown.get(frame.observed.pod.uid) ?? null, frame, options, !isOnePod),
    );
    shown = new Map(frames.map((frame) => [frame.observed.pod.uid, frame]));
    return news.map((line) => `${line}\n`).join("");
  };
}

function jsonOf({ frames }: PodsFrame): string {
  const [first] = frames;
  if (first === undefined) return "";
  const atMs = Math.max(...frames.map(({ explanation }) => explanation.atMs));
  const pods = frames.flatMap(({ explanation }) => explanation.pods);
  return jsonLine(explanationToJson({ ...first.explanation, atMs, pods }));
}
