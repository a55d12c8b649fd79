import type { Connection } from "../../cluster/connection/connection.ts";
import type { Timers } from "../../cluster/connection/timers.ts";
import type { Explanation } from "../../explain/answer/explanation.ts";
import { renderJsonLine } from "../../render/json/json.ts";
import type { RenderOptions } from "../../render/page/page.ts";
import { changeKey, type LiveFrame, lastingLoss, noPodsScreen, renderLive } from "../../render/watch/live.ts";
import { newsLines } from "../../render/watch/live-lines.ts";
import { connectionNotes, ifChanged, type ScreenSize, showFrames, showIn } from "./watch-output.ts";
import { type WorkloadFrame, type WorkloadRequest, WorkloadSession } from "./workload-session.ts";

interface WorkloadWatchRequest extends WorkloadRequest {
  readonly output: "table" | "json";
  readonly options: RenderOptions;
  readonly note: (sentence: string) => void;
}

/**
 * Prints the explanations of a workload's pods again whenever one changes: on a terminal the most urgent pod in full
 * and the others in a line each. Returns the exit code: 130 after Ctrl-C, 0 when the reader of stdout is gone.
 */
export async function watchWorkload(
  connection: Connection,
  request: WorkloadWatchRequest,
  timers: Timers,
): Promise<number> {
  const { output, options, note } = request;
  const noteLoss = connectionNotes(note);
  const show = await showIn<WorkloadFrame>(output, {
    screen: (frame, size, isLast) => screenOf(frame, { ...options, ...size }, isLast),
    lines: linesOf(options),
    json: ifChanged(
      ({ frames }) =>
        frames
          .flatMap(({ explanation }) => explanation.pods.map(changeKey))
          .sort()
          .join(),
      (frame) => jsonOf(frame),
    ),
    noteLoss: ({ frames: [first], nowMs }) => noteLoss(lastingLoss(first?.connectionLoss ?? null, nowMs)),
  });
  return showFrames(connection, new WorkloadSession(connection, request, timers), show);
}

function screenOf({ frames, nowMs }: WorkloadFrame, options: RenderOptions & ScreenSize, isLast: boolean): string {
  const [first, ...others] = frames;
  if (first === undefined) return noPodsScreen(nowMs, isLast, options);
  return renderLive(isLast ? { ...first, end: "stopped" } : first, options, others);
}

function jsonOf({ frames, nowMs }: WorkloadFrame): string {
  const [first] = frames;
  if (first === undefined) return "";
  const all: Explanation = {
    ...first.explanation,
    atMs: nowMs,
    pods: frames.flatMap(({ explanation }) => explanation.pods),
  };
  return renderJsonLine(all);
}

/** Returns a function that returns the news of each pod. Each line names its pod. */
function linesOf(options: RenderOptions): (frame: WorkloadFrame) => string {
  let shown = new Map<string | null, LiveFrame>();
  return ({ frames }) => {
    const news = frames.flatMap((frame) => newsLines(shown.get(frame.observed.pod.uid) ?? null, frame, options, true));
    shown = new Map(frames.map((frame) => [frame.observed.pod.uid, frame]));
    return news.map((line) => `${line}\n`).join("");
  };
}
