import { harmless } from "../page/harmless.ts";
import { labelled, type Page, pageOf, type RenderOptions } from "../page/page.ts";
import { paint } from "../page/paint.ts";
import { wrap } from "../page/width.ts";
import { renderTable } from "../pod/table.ts";
import { endSentence, type LiveFrame, lastingTrouble, lostSentence, watchSentence } from "./live-frame.ts";
import { outcomeClause, tally } from "./live-outcome.ts";

/** A terminal that is redrawn in place. */
export interface LiveOptions extends RenderOptions {
  /** The terminal's height. */
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
  const table = renderTable(frame.explanation, options).trimEnd().split("\n");
  const space = room - footer.length - 1;
  const shown = table.length <= space ? table : [...table.slice(0, space - 1), paint("…", "quiet", page.color)];
  return `${[...shown, "", ...footer].join("\n")}\n`;
}

function footerOf(frame: LiveFrame, page: Page): string[] {
  const outcomes = frame.predictions.recent.slice(-MOST_OUTCOMES).reverse();
  return [...statusOf(frame, page), ...outcomes.flatMap((outcome) => outcomeLines(outcome, page))];
}

function outcomeLines(outcome: LiveFrame["predictions"]["recent"][number], page: Page): string[] {
  const { container, start, startedAtMs, offMs } = outcome;
  const label = offMs === 0 ? "kept" : "missed";
  const when = `start ${start} at ${page.times.instant(startedAtMs)}, ${outcomeClause(outcome, page.times)}`;
  const [first = "", ...rest] = labelled(label, LABEL_WIDTH, `${harmless(container)}: ${when}`, page);
  return [paint(label, offMs === 0 ? "good" : "bad", page.color) + first.slice(label.length), ...rest];
}

function statusOf(frame: LiveFrame, page: Page): string[] {
  const trouble = lastingTrouble(frame.trouble, page.nowMs);
  const watching = watchSentence(page.nowMs, frame.end === "stopped", page.times);
  const counted = tally(frame.predictions);
  const status = `${harmless(endSentence(frame) ?? watching)}${counted === "" ? "" : ` ${counted}.`}`;
  if (trouble === null || frame.end !== null) return wrap(status, page.columns);
  const lost = `${lostSentence(trouble, page.times)} The pod is shown as it was then.`;
  return [...wrap(status, page.columns), ...wrap(lost, page.columns).map((line) => paint(line, "uneasy", page.color))];
}
