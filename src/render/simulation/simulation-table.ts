import { DEFAULT_CURVE, REDUCED_CURVE } from "../../kubelet/crash-loop-policy.ts";
import { formatBriefDuration, roundToSecond } from "../../kubelet/go-duration.ts";
import { type Window, windowFrom } from "../../kubelet/start-distribution.ts";
import type { Figures } from "../../simulate/simulate.ts";
import type { SimulatedStart } from "../../simulate/walk.ts";
import { type Table, tableLines, tableWidth, widestFitting } from "../page/columns.ts";
import { windowCell } from "../page/durations.ts";
import { harmless } from "../page/harmless.ts";
import { labelled, pageColumns, pageText, type RenderOptions } from "../page/page.ts";
import { paint } from "../page/paint.ts";
import { wrap } from "../page/width.ts";
import type { Simulated, SimulationReport } from "./simulation-report.ts";
import { delaysInWords, precisePercent, span, titleOf } from "./simulation-words.ts";

export function renderSimulated(simulated: Simulated, options: RenderOptions): string {
  return simulated.kind === "simulation"
    ? renderSimulationTable(simulated.report, options)
    : renderComparison(simulated.reports, options);
}

function renderSimulationTable(report: SimulationReport, options: RenderOptions): string {
  const columns = pageColumns(options);
  const { rows, goesOn } = rowsOf(report);
  return pageText([
    wrap(titleOf([report]), columns).map((line) => paint(line, "title", options.color)),
    [...table(rows, columns, options.color), ...wrap(goesOn, columns)],
    notesOf(report).flatMap(([label, text]) => labelled(label, text, { columns })),
  ]);
}

/** Indexes of columns. The table leaves out the columns of the first list that makes it fit the page. */
const DROPPED = [[], [5], [5, 6], [2, 5, 6], [2, 3, 5, 6]];

function table(rows: readonly (readonly string[])[], columns: number, color: boolean): string[] {
  const fitting = widestFitting(
    DROPPED.map((dropped) => tableWithout(dropped, rows)),
    columns,
  );
  return fitting === undefined ? rows.flatMap((row) => wrap(row.join(" "), columns)) : tableLines(fitting, color);
}

function tableWithout(dropped: readonly number[], rows: readonly (readonly string[])[]): Table {
  const isKept = (_: unknown, column: number): boolean => !dropped.includes(column);
  const headings = START_HEADINGS.map((heading) => heading.toUpperCase());
  return { headings: headings.filter(isKept), rows: rows.map((row) => row.filter(isKept)) };
}

export function notesOf({ simulation, policy, seed, restartPolicy }: SimulationReport): [string, string][] {
  const { figures, starts, isCut } = simulation;
  const values = seed === null ? "typical values" : `values drawn with seed ${seed}`;
  const after = formatBriefDuration(policy.resetAfterMs);
  const dropped = `the back-off expires first, ${after} after the start, so it restarts early`;
  const notes: [string, string, boolean][] = [
    ["uptime", `${precisePercent(figures.availability)} in the first ${span(figures.forMs)}`, true],
    ["restarts", restartsOf(figures), true],
    ["delays", delaysInWords(policy), true],
    ["waited", `${values}; longer than DELAY because ${NEXT_SYNC}`, starts.some(hasWaited)],
    ["shown", shownNote(starts), starts.some(isShownLate)],
    ["*", dropped, starts.some(({ wait }) => wait?.isDropped === true)],
    ["end", `not restarted (restartPolicy ${restartPolicy})`, starts.at(-1)?.nextStartedMs === null],
    ["cut", `the simulation ends after ${starts.length} starts, at ${span(figures.forMs)}`, isCut],
  ];
  return notes.filter(([, , isTrue]) => isTrue).map(([label, text]) => [label, text]);
}

const NEXT_SYNC = "the kubelet only restarts at its next sync";

function shownNote(starts: readonly SimulatedStart[]): string {
  const words = [...new Set(starts.map(({ run }) => (run.exitCode === 0 ? "Completed" : "Error")))];
  return `CrashLoopBackOff only from the second sync after an exit; until then kubectl shows ${words.join(" or ")}`;
}

function hasWaited({ wait }: SimulatedStart): boolean {
  return wait !== null && wait.delayMs > 0;
}

function isShownLate(start: SimulatedStart): boolean {
  return hasWaited(start) && (start.crashLoopBackOff?.fromMs ?? Number.POSITIVE_INFINITY) > start.finishedMs;
}

function restartsOf({ restartsWithin, longestWaitMs }: Figures): string {
  const counts = restartsWithin.map(({ withinMs, restarts }, index) => {
    return `${restarts} in ${index === 0 ? "the first " : ""}${span(withinMs)}`;
  });
  const wait = longestWaitMs === null ? "" : `; longest wait ${span(longestWaitMs)}`;
  return counts.join(", ") + wait;
}

export const START_HEADINGS = ["Start", "At", "Ran", "Delay", "Waited", "95% range", "CrashLoopBackOff"] as const;

const MOST_ROWS = 100;

/** `goesOn`: a sentence about the starts without a row; "" if each start has a row. */
export function rowsOf({ simulation: { starts }, windows }: SimulationReport): { rows: string[][]; goesOn: string } {
  const period = PERIODS.find((length) => untilRepeating(starts, length) < starts.length - 2 * length);
  const settled = period === undefined ? starts.length : untilRepeating(starts, period) + period;
  const shown = Math.min(settled, starts.length, MOST_ROWS);
  const rows = starts.slice(0, shown).map((start, index) => rowOf(start, windows[index] ?? null));
  const last = starts.at(-1);
  if (last === undefined || shown === starts.length) return { rows, goesOn: "" };
  if (shown < settled) {
    return { rows, goesOn: `${starts.length - shown} more, up to start ${last.start}: see -o json.` };
  }
  const lines = period === 1 ? "The last line repeats" : `The last ${period} lines repeat`;
  return { rows, goesOn: `${lines} up to start ${last.start}, at ${span(last.startedMs)}.` };
}

/** The lengths, in rows, that a repeating part at the end of the table can have. */
const PERIODS = [1, 2] as const;

function untilRepeating(starts: readonly SimulatedStart[], period: number): number {
  let index = starts.length - 1;
  while (index >= period && isAlike(starts[index - period], starts[index])) index -= 1;
  return index + 1;
}

function isAlike(before: SimulatedStart | undefined, start: SimulatedStart | undefined): boolean {
  if (before === undefined || start === undefined) return false;
  return COMPARED_DURATIONS_MS.every((msOf) => Math.round(msOf(before) / 1_000) === Math.round(msOf(start) / 1_000));
}

/** A negative number stands for a duration that a start lacks. */
const COMPARED_DURATIONS_MS: readonly ((start: SimulatedStart) => number)[] = [
  ({ startedMs, finishedMs }) => finishedMs - startedMs,
  ({ finishedMs, nextStartedMs }) => (nextStartedMs === null ? -1_000 : nextStartedMs - finishedMs),
  ({ wait }) => wait?.delayMs ?? -1_000,
  ({ finishedMs, crashLoopBackOff }) => (crashLoopBackOff === null ? -1_000 : crashLoopBackOff.fromMs - finishedMs),
];

function rowOf(simulated: SimulatedStart, window: Window | null): string[] {
  const { start, startedMs, finishedMs, nextStartedMs, wait, crashLoopBackOff } = simulated;
  const run = [String(start), span(roundToSecond(startedMs)), span(finishedMs - startedMs)];
  if (nextStartedMs === null) return [...run, "-", "never", "-", "-"];
  const isWait = wait !== null && wait.delayMs > 0;
  const waited = isWait
    ? [span(wait.delayMs) + (wait.isDropped ? "*" : ""), span(nextStartedMs - finishedMs)]
    : ["none", "immediate"];
  const shown = crashLoopBackOff && `${span(crashLoopBackOff.fromMs)}-${span(crashLoopBackOff.toMs)}`;
  return [...run, ...waited, afterExitCell(window, finishedMs), shown ?? (isWait ? "not shown" : "-")];
}

function afterExitCell(window: Window | null, finishedMs: number): string {
  if (window === null) return "-";
  const afterExit = (atMs: number): number => Math.round(atMs - finishedMs);
  return windowCell(windowFrom(afterExit(window.notBeforeMs), afterExit(window.likelyByMs)), 0);
}

function renderComparison(reports: readonly SimulationReport[], options: RenderOptions): string {
  const columns = pageColumns(options);
  return pageText([
    wrap(titleOf(reports), columns).map((line) => paint(line, "title", options.color)),
    ...tablesOf(reports, columns).map((table) => tableLines(table, options.color)),
    reports.some(isReducedInVain) ? wrap(REDUCED_IN_VAIN, columns) : [],
  ]);
}

function tablesOf(reports: readonly SimulationReport[], columns: number): Table[] {
  const whole = comparisonTable(reports);
  if (reports.length === 1 || tableWidth(whole) <= columns) return [whole];
  const half = Math.ceil(reports.length / 2);
  return [...tablesOf(reports.slice(0, half), columns), ...tablesOf(reports.slice(half), columns)];
}

export function comparisonTable(reports: readonly SimulationReport[]) {
  const rows = comparedFigures(reports).map(([label, figureOf]) => [label, ...reports.map(figureOf)]);
  return { headings: ["", ...reports.map(({ name }) => name)], rows };
}

type ComparedFigure = readonly [label: string, figureOf: (report: SimulationReport) => string];

function comparedFigures(reports: readonly SimulationReport[]): ComparedFigure[] {
  const figures = reports[0]?.simulation.figures;
  const counts = (figures?.restartsWithin ?? []).map(
    ({ withinMs }, index): ComparedFigure => [
      `restarts in ${index === 0 ? "the first " : ""}${span(withinMs)}`,
      ({ simulation }) => `${simulation.figures.restartsWithin[index]?.restarts ?? 0}`,
    ],
  );
  const isOneTime = reports.every(({ simulation }) => simulation.figures.forMs === figures?.forMs);
  const time = isOneTime ? `, first ${span(figures?.forMs ?? 0)}` : "";
  return [
    ["kubelet", ({ policy }) => harmless(policy.kubeletVersion ?? "unknown")],
    ["first delay", ({ policy }) => span(policy.initialMs)],
    ["maximum delay", ({ policy }) => span(policy.maxMs)],
    ...counts,
    [`uptime${time}`, ({ simulation }) => precisePercent(simulation.figures.availability)],
    ["longest wait", ({ simulation: { figures: of } }) => (of.longestWaitMs === null ? "-" : span(of.longestWaitMs))],
    ["CrashLoopBackOff shown", ({ simulation }) => precisePercent(simulation.figures.shownShare)],
  ];
}

export function isReducedInVain({ policy }: SimulationReport): boolean {
  return policy.initialMs === REDUCED_CURVE.initialMs && policy.maxMs === DEFAULT_CURVE.maxMs;
}

export const REDUCED_IN_VAIN =
  "From v1.35 on, the gate ReduceDefaultCrashLoopBackOffDecay alone only lowers the first delay: maxContainerRestartPeriod " +
  `defaults to ${span(DEFAULT_CURVE.maxMs)} and wins. Set both (reduced+max=60s) for a maximum of 1m.`;
