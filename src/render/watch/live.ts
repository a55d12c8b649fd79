import type { Explanation, PodExplanation } from "../../explain/answer/explanation.ts";
import type { Outcome, Predictions } from "../../explain/follow/watch-predictions.ts";
import { formatBriefDuration } from "../../kubelet/go-duration.ts";
import { pick } from "../json/json.ts";
import { harmless } from "../page/harmless.ts";
import { labelled, type Page, pageOf, type RenderOptions } from "../page/page.ts";
import { paint } from "../page/paint.ts";
import type { Times } from "../page/times.ts";
import { displayWidth, wrap } from "../page/width.ts";
import { renderTable } from "../pod/table.ts";

/** A terminal that is redrawn in place. */
interface LiveOptions extends RenderOptions {
  readonly rows: number;
}

/** So many of the latest predictions are shown with what became of them. */
const MOST_OUTCOMES = 3;
const LABEL_WIDTH = 11;
/** What stands above the footer is worth nothing below this. */
const LEAST_ROWS = 3;

/**
 * The screen of a watch: the explanation as the table has it, then what became of the latest predictions, then how the watch
 * fares. Never higher than the terminal less its last line; what does not fit is cut between the two.
 */
export function renderLive(frame: LiveFrame, options: LiveOptions): string {
  const page = pageOf(frame.explanation, options);
  const room = Math.max(LEAST_ROWS + 1, options.rows - 1);
  const footer = footerOf(frame, page).slice(0, room - LEAST_ROWS);
  const table = renderTable(withoutSteps(frame.explanation), options).trimEnd().split("\n");
  const space = room - footer.length - 1;
  const shown = table.length <= space ? table : [...table.slice(0, space - 1), paint("…", "quiet", page.color)];
  return `${[...shown, "", ...footer].join("\n")}\n`;
}

/** Who watches has taken the next step. */
function withoutSteps(explanation: Explanation): Explanation {
  return { ...explanation, pods: explanation.pods.map(({ nextSteps: _nextSteps, ...pod }) => pod) };
}

function footerOf(frame: LiveFrame, page: Page): string[] {
  const outcomes = frame.predictions.recent.slice(-MOST_OUTCOMES).reverse();
  return [...statusOf(frame, page), ...outcomes.flatMap((outcome) => outcomeLines(outcome, page))];
}

function outcomeLines(outcome: LiveFrame["predictions"]["recent"][number], page: Page): string[] {
  const { container, start, startedAtMs, offMs } = outcome;
  const label = offMs === 0 ? "kept" : "missed";
  const when = `restart ${start} at ${page.times.instant(startedAtMs)}, ${outcomeClause(outcome, page.times)}`;
  const [first = "", ...rest] = labelled(label, LABEL_WIDTH, `${harmless(container)}: ${when}`, page);
  return [paint(label, offMs === 0 ? "good" : "bad", page.color) + first.slice(label.length), ...rest];
}

function statusOf(frame: LiveFrame, page: Page): string[] {
  const trouble = lastingTrouble(frame.trouble, page.nowMs);
  const watching = watchSentence(page.nowMs, frame.end === "stopped", page.times);
  const counted = tally(frame.predictions);
  const status = `${harmless(endSentence(frame) ?? watching)}${counted === "" ? "" : ` ${counted}.`}`;
  if (trouble === null || frame.end !== null) return wrap(status, page.columns);
  const lost = `${lostSentence(trouble, page.times)} Showing the last known state.`;
  return [...wrap(status, page.columns), ...wrap(lost, page.columns).map((line) => paint(line, "uneasy", page.color))];
}

/** What a watch shows at one moment. */
export interface LiveFrame {
  /** Of the one pod that is watched. */
  readonly explanation: Explanation;
  readonly predictions: Predictions;
  /** Since when nothing is heard of the pod, and why; null while all is well. */
  readonly trouble: { readonly sinceMs: number; readonly because: string } | null;
  /** Why nothing more will come, stopped: the reader has seen enough; null as long as something may. */
  readonly end: "deleted" | "replaced" | "stopped" | null;
}

/** A connection that breaks is usually there again before anybody could read that it was not. */
const PATIENCE_MS = 3_000;

/** What is to be said of the connection at the moment `atMs`: null if nothing. */
export function lastingTrouble(trouble: LiveFrame["trouble"], atMs: number): LiveFrame["trouble"] {
  return trouble !== null && atMs - trouble.sinceMs >= PATIENCE_MS ? trouble : null;
}

export function watchSentence(atMs: number, isOver: boolean, times: Times): string {
  const now = times.instant(atMs);
  return isOver ? `Stopped at ${now}.` : `${now}. Ctrl-C to stop.`;
}

export function lostSentence({ sinceMs, because }: NonNullable<LiveFrame["trouble"]>, times: Times): string {
  return `Disconnected since ${times.instant(sinceMs)} (${harmless(because)}), retrying.`;
}

/** The pod's end in words: "prod/web-0 has been deleted." Null as long as it is there. */
export function endSentence({ explanation, end }: LiveFrame): string | null {
  const [pod] = explanation.pods;
  if (end === null || end === "stopped" || pod === undefined) return null;
  const name = `${pod.namespace}/${pod.name}`;
  return end === "deleted" ? `${name} has been deleted.` : `${name} is gone: another pod has its name now.`;
}

/** The same text as long as nothing has happened that a reader of changes wants to know of; the passing of time is none. */
export function changeKey(pod: PodExplanation): string {
  return JSON.stringify([stateKey(pod), (pod.ownerEvidence ?? []).map(({ rule }) => rule)]);
}

/** The same without what the pod's owners do. */
export function stateKey(pod: PodExplanation): string {
  const containers = pod.containers.map(({ nextRestart, overdue, lastExit, imagePull, history, ...container }) => [
    pick(container, "name", "state", "reported", "restartCount", "delayMs", "delayBasis", "reset"),
    ...[nextRestart === null, overdue !== null, lastExit?.finishedAtMs, lastExit?.cause, imagePull?.delayMs],
    history.at(-1),
  ]);
  return JSON.stringify([pod.verdict, pod.phase, pod.policy, pod.gaps.map(({ code }) => code), containers]);
}

/** The rows that a text takes on a terminal that has become so wide: narrower ones break the lines that are there already. */
export function rowsOn(text: string, columns: number): number {
  const lines = text.replace(/\n$/, "").split("\n");
  return lines.reduce((rows, line) => rows + Math.max(1, Math.ceil(displayWidth(line) / Math.max(1, columns))), 0);
}

/** What became of a prediction: "inside the window 14:04:38-14:05:08 GMT+1", "3s after the window 14:04:38- …". */
export function outcomeClause({ window, offMs }: Outcome, times: Times): string {
  const span = `the window ${times.span(window.notBeforeMs, window.likelyByMs)}`;
  if (offMs === 0) return `inside ${span}`;
  const off = formatBriefDuration(Math.max(1_000, Math.round(Math.abs(offMs) / 1_000) * 1_000));
  return `${off} ${offMs < 0 ? "before" : "after"} ${span}`;
}

/** "3 of 4 predictions were right"; empty before the first. */
export function tally({ kept, missed }: { readonly kept: number; readonly missed: number }): string {
  if (kept + missed === 0) return "";
  return `${kept} of ${kept + missed} ${kept + missed === 1 ? "prediction was" : "predictions were"} right`;
}
