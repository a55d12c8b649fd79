import { formatBriefDuration } from "../../kubelet/go-duration.ts";
import type { Figures } from "../../simulate/simulate.ts";
import type { SimulatedStart } from "../../simulate/walk.ts";
import { type Cell, columnLines, widthOf } from "../charts/contention-columns.ts";
import { beside, pageColumns, type RenderOptions } from "../page/page.ts";
import { paint } from "../page/paint.ts";
import { wrap } from "../page/width.ts";
import type { SimulationReport } from "./simulation-report.ts";
import { HEADINGS, rowsOf, type SimulationRow } from "./simulation-rows.ts";
import { delaysInWords, percent, span, titleOf } from "./simulation-words.ts";

/** The labels' column: the longest one ("restarts") and three blanks. */
const LABEL_WIDTH = 11;

/** The form for people: what was simulated, its starts, and what they come to. */
export function renderSimulationTable(report: SimulationReport, options: RenderOptions): string {
  const columns = pageColumns(options);
  const { rows, goesOn } = rowsOf(report);
  return `${[
    ...wrap(titleOf([report]), columns).map((line) => paint(line, "title", options.color)),
    "",
    ...table(rows, columns, options.color),
    ...(goesOn === null ? [] : wrap(goesOn, columns)),
    "",
    ...notesOf(report).flatMap(([label, text]) => noteLines(label, text, columns)),
  ].join("\n")}\n`;
}

/** All columns, or without what can be done without on a narrow page. */
function table(rows: readonly SimulationRow[], columns: number, color: boolean): string[] {
  const all = HEADINGS.map((_, column) => column);
  for (const dropped of [[], [5], [5, 6], [2, 5, 6], [2, 3, 5, 6]]) {
    const kept = all.filter((column) => !dropped.includes(column));
    const lines = columnLines(
      kept.map((column) => HEADINGS[column] ?? ""),
      rows.map((row) => kept.map((column): Cell => cellOf(row[column] ?? "", column))),
      color,
    ).map((line) => line.trimEnd());
    if (widthOf(lines) <= columns) return lines;
  }
  return rows.flatMap((row) => wrap(row.join(" "), columns));
}

function cellOf(text: string, column: number): Cell {
  const tone = column === HEADINGS.length - 1 && / to /.test(text) ? ("bad" as const) : null;
  return tone === null ? { text } : { text, tone };
}

/** What stands below the starts: labels and texts. */
export function notesOf({ simulation, policy, seed, restartPolicy }: SimulationReport): [string, string][] {
  const { figures, starts, isCut } = simulation;
  const looks = seed === null ? "typical" : `drawn with seed ${seed}`;
  const notes: [string, string, boolean][] = [
    ["up", `${percent(figures.availability)} of the first ${span(figures.forMs)}`, true],
    ["restarts", restartsOf(figures), true],
    ["delays", delaysInWords(policy), true],
    ["waited", `${looks}; late, for after the delay the kubelet has to look again`, starts.some(hasWaited)],
    ["shown", shownNote(starts), starts.some(isShownLate)],
    ["*", droppedNote(policy.resetAfterMs), starts.some(({ wait }) => (wait?.droppedAtMs ?? null) !== null)],
    ["end", `after this exit, restartPolicy ${restartPolicy} leaves it down`, starts.at(-1)?.nextStartedMs === null],
    ["cut", `no more than ${starts.length} starts are simulated: it ends at ${span(figures.forMs)}`, isCut],
  ];
  return notes.filter(([, , isTrue]) => isTrue).map(([label, text]) => [label, text]);
}

function shownNote(starts: readonly SimulatedStart[]): string {
  const words = [...new Set(starts.map(({ run }) => (run.exitCode === 0 ? "Completed" : "Error")))];
  return `not at once, but from the kubelet's second look at the exit on; until then it is ${words.join(" or ")}`;
}

function hasWaited({ wait }: SimulatedStart): boolean {
  return wait !== null && wait.delayMs > 0;
}

/** Whether CrashLoopBackOff was shown late or, in a short wait, not at all. */
function isShownLate(start: SimulatedStart): boolean {
  return hasWaited(start) && (start.crashLoopBackOff?.fromMs ?? Number.POSITIVE_INFINITY) > start.finishedMs;
}

/** "5 in the first 5m, 10 in 30m, 16 in 60m". */
function restartsOf({ restartsWithin, longestWaitMs }: Figures): string {
  const counts = restartsWithin.map(({ withinMs, restarts }, index) => {
    return `${restarts} in ${index === 0 ? "the first " : ""}${minutes(withinMs)}`;
  });
  const wait = longestWaitMs === null ? "" : `; longest wait ${span(longestWaitMs)}`;
  return counts.join(", ") + wait;
}

/** People count these in minutes: "60m". */
export function minutes(ms: number): string {
  return `${ms / 60_000}m`;
}

function droppedNote(resetAfterMs: number): string {
  const after = formatBriefDuration(resetAfterMs);
  return `the back-off entry is dropped before, ${after} after the start: it restarts then, with a clean slate`;
}

function noteLines(label: string, text: string, columns: number): string[] {
  if (columns < 2 * LABEL_WIDTH) return [...wrap(label, columns), ...wrap(text, columns)];
  return beside(label, LABEL_WIDTH, text, columns);
}
