import type { Explanation, PodExplanation } from "../../explain/answer/explanation.ts";
import type { Outcome, Predictions } from "../../explain/follow/watch-predictions.ts";
import { formatBriefDuration, roundToSecond } from "../../kubelet/go-duration.ts";
import { pick } from "../json/json-values.ts";
import { answerOf } from "../page/answer.ts";
import { harmless } from "../page/harmless.ts";
import { labelled, type Page, pageOf, type RenderOptions } from "../page/page.ts";
import { paint } from "../page/paint.ts";
import { type Times, timesAround } from "../page/times.ts";
import { displayWidth, shorten, wrap } from "../page/width.ts";
import { renderTable } from "../pod/table.ts";

const MOST_OUTCOMES = 3;
const LEAST_ROWS = 3;

/** `rows`: the height of the terminal. `others`: pods that get at most a line each. */
export function renderLive(
  frame: LiveFrame,
  options: RenderOptions & { readonly rows: number },
  others: readonly LiveFrame[] = [],
): string {
  const page = pageOf(frame.explanation, options);
  const room = Math.max(LEAST_ROWS + 1, options.rows - 1);
  const outcomes = frame.predictions.recent.slice(-MOST_OUTCOMES).reverse();
  const status = [...statusOf(frame, page), ...outcomes.flatMap((outcome) => outcomeLines(outcome, page))];
  const footer = status.slice(0, room - LEAST_ROWS);
  // Assumed: a user who watches needs no next steps.
  const pods = frame.explanation.pods.map(({ nextSteps: _nextSteps, ...pod }) => pod);
  const text = renderTable({ ...frame.explanation, pods }, options);
  const table = text.trimEnd().split("\n");
  const besides = otherLines(others, page, Math.floor((room - footer.length) / 2) - 1);
  const shown = firstLines(table, room - footer.length - besides.length - 1, "lines");
  return `${[...shown, ...besides, "", ...footer].join("\n")}\n`;
}

export function firstLines(lines: readonly string[], most: number, what: "lines" | "pods"): readonly string[] {
  return lines.length <= most ? lines : [...lines.slice(0, most - 1), `… and ${lines.length - most + 1} more ${what}`];
}

function otherLines(others: readonly LiveFrame[], page: Page, most: number): string[] {
  if (others.length === 0 || most < 2) return [];
  const pods = others.flatMap(({ explanation }) => explanation.pods);
  const lines = pods.map((pod) => shorten(harmless(answerLine(pod, page)), page.columns));
  return ["", ...firstLines(lines, most - 1, "pods")];
}

export function answerLine(pod: PodExplanation, page: Page): string {
  const { headline, next } = answerOf(pod, page);
  return next === "" ? headline : `${headline} ${next}`;
}

export function noPodsScreen(nowMs: number, isOver: boolean, options: RenderOptions): string {
  const times = timesAround(nowMs, options.timeZone);
  return `There are no pods.\n\n${wrap(watchSentence(nowMs, isOver, times), options.columns).join("\n")}\n`;
}

function outcomeLines(outcome: Outcome, page: Page): string[] {
  const { container, start, startedAtMs, offMs } = outcome;
  const label = offMs === 0 ? "kept" : "missed";
  const when = `restart ${start} at ${page.times.instant(startedAtMs)}, ${outcomeClause(outcome, page.times)}`;
  const [first = "", ...rest] = labelled(label, `${harmless(container)}: ${when}`, page);
  return [paint(label, offMs === 0 ? "good" : "bad", page.color) + first.slice(label.length), ...rest];
}

function statusOf(frame: LiveFrame, page: Page): string[] {
  const connectionLoss = lastingLoss(frame.connectionLoss, frame.nowMs);
  const watching = watchSentence(frame.nowMs, frame.end === "stopped", page.times);
  const counted = tally(frame.predictions);
  const status = `${harmless(endSentence(frame) ?? watching)}${counted === "" ? "" : ` ${counted}.`}`;
  if (connectionLoss === null || frame.end !== null) return wrap(status, page.columns);
  const lost = disconnectedWords(connectionLoss, page.nowMs, frame.nowMs, page.times);
  return [...wrap(status, page.columns), ...wrap(lost, page.columns).map((line) => paint(line, "uneasy", page.color))];
}

export interface ConnectionLoss {
  readonly sinceMs: number;
  readonly because: string;
}

export interface LiveFrame {
  readonly explanation: Explanation;
  /** May be later than the explanation, e.g. while the API server is silent. */
  readonly nowMs: number;
  readonly predictions: Predictions;
  readonly connectionLoss: ConnectionLoss | null;
  readonly end: "deleted" | "replaced" | "stopped" | null;
}

/** Assumed: a shorter loss of the connection is over before a user could read about it. */
const SHORTEST_REPORTED_LOSS_MS = 3_000;

export function lastingLoss(loss: ConnectionLoss | null, atMs: number): ConnectionLoss | null {
  return loss !== null && atMs - loss.sinceMs >= SHORTEST_REPORTED_LOSS_MS ? loss : null;
}

export function watchSentence(atMs: number, isOver: boolean, times: Times): string {
  const now = times.instant(atMs);
  return isOver ? `Stopped at ${now}.` : `${now}. Ctrl-C to stop.`;
}

export function lostSentence({ sinceMs, because }: ConnectionLoss, times: Times): string {
  return `Disconnected since ${times.instant(sinceMs)} (${harmless(because)}), retrying.`;
}

export function disconnectedWords(loss: ConnectionLoss, shownAtMs: number, nowMs: number, times: Times): string {
  const shown = shownAtMs === nowMs ? "last known state" : `state at ${times.instant(shownAtMs)}`;
  return `${lostSentence(loss, times)} Showing the ${shown}.`;
}

export function endSentence({ explanation, end }: LiveFrame): string | null {
  const [pod] = explanation.pods;
  if (end === null || end === "stopped" || pod === undefined) return null;
  const name = `${pod.namespace}/${pod.name}`;
  return end === "deleted" ? `${name} has been deleted.` : `${name} is gone: another pod has its name now.`;
}

/** Returns a key that changes when a watch should report the pod again, but not with each second. */
export function changeKey(pod: PodExplanation): string {
  return JSON.stringify([stateKey(pod), (pod.ownerEvidence ?? []).map(({ rule }) => rule)]);
}

export function stateKey(pod: PodExplanation): string {
  const containers = pod.containers.map(({ nextRestart, overdue, lastExit, imagePull, history, ...container }) => [
    pick(container, "name", "state", "reported", "restartCount", "delayMs", "delayBasis", "reset"),
    ...[nextRestart === null, overdue !== null, lastExit?.finishedAtMs, lastExit?.cause, imagePull?.delayMs],
    history.at(-1),
  ]);
  return JSON.stringify([pod.verdict, pod.phase, pod.policy, pod.gaps.map(({ code }) => code), containers]);
}

export function rowsOn(text: string, columns: number): number {
  const lines = text.replace(/\n$/, "").split("\n");
  return lines.reduce((rows, line) => rows + Math.max(1, Math.ceil(displayWidth(line) / Math.max(1, columns))), 0);
}

export function outcomeClause({ window, offMs }: Outcome, times: Times): string {
  const span = `the window ${times.span(window.notBeforeMs, window.likelyByMs)}`;
  if (offMs === 0) return `inside ${span}`;
  const off = formatBriefDuration(Math.max(1_000, roundToSecond(Math.abs(offMs))));
  return `${off} ${offMs < 0 ? "before" : "after"} ${span}`;
}

function tally({ kept, missed }: { readonly kept: number; readonly missed: number }): string {
  if (kept + missed === 0) return "";
  return `${kept} of ${kept + missed} ${kept + missed === 1 ? "prediction was" : "predictions were"} right`;
}
