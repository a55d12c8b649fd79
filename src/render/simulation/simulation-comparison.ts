import { type Table, tableLines, tableWidth } from "../page/columns.ts";
import { harmless } from "../page/harmless.ts";
import { pageColumns, type RenderOptions, textOf } from "../page/page.ts";
import { paint } from "../page/paint.ts";
import { wrap } from "../page/width.ts";
import type { SimulationReport } from "./simulation-report.ts";
import { minutes } from "./simulation-table.ts";
import { percent, span, titleOf } from "./simulation-words.ts";

/** A figure of a comparison, and what it is for one simulation. */
interface ComparedFigure {
  readonly label: string;
  readonly of: (report: SimulationReport) => string;
}

/** Simulations of the same container side by side: one column per configuration, as many tables as the page needs. */
export function renderComparison(reports: readonly SimulationReport[], options: RenderOptions): string {
  const columns = pageColumns(options);
  return textOf([
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

/** A row for each figure, and a column for each simulation. */
export function comparisonTable(reports: readonly SimulationReport[]) {
  const rows = comparedFigures(reports).map(({ label, of }) => [label, ...reports.map(of)]);
  return { headings: ["", ...reports.map(({ name }) => name)], rows };
}

function comparedFigures(reports: readonly SimulationReport[]): ComparedFigure[] {
  const figures = reports[0]?.simulation.figures;
  const counts = (figures?.restartsWithin ?? []).map(({ withinMs }, index) => ({
    label: `restarts in ${index === 0 ? "the first " : ""}${minutes(withinMs)}`,
    of: ({ simulation }: SimulationReport) => String(simulation.figures.restartsWithin[index]?.restarts ?? 0),
  }));
  const isOneTime = reports.every(({ simulation }) => simulation.figures.forMs === figures?.forMs);
  const time = isOneTime ? `, first ${span(figures?.forMs ?? 0)}` : "";
  return [
    { label: "kubelet", of: ({ policy }) => harmless(policy.kubeletVersion ?? "unknown") },
    { label: "first delay", of: ({ policy }) => span(policy.initialMs) },
    { label: "maximum delay", of: ({ policy }) => span(policy.maxMs) },
    ...counts,
    { label: `uptime${time}`, of: ({ simulation }) => percent(simulation.figures.availability) },
    { label: "longest wait", of: ({ simulation: { figures: of } }) => waitOf(of.longestWaitMs) },
    { label: "CrashLoopBackOff shown", of: ({ simulation }) => percent(simulation.figures.shownShare) },
  ];
}

function waitOf(ms: number | null): string {
  return ms === null ? "-" : span(ms);
}

/** The gate lowers the first delay, but the maximum has a default of its own that is in force beside it. */
export function isReducedInVain({ policy }: SimulationReport): boolean {
  return policy.initialMs === 1_000 && policy.maxMs === 300_000;
}

/** Why the gate alone is not what its name says. */
export const REDUCED_IN_VAIN =
  "From v1.35 on, the gate ReduceDefaultCrashLoopBackOffDecay alone only lowers the first delay: maxContainerRestartPeriod " +
  "defaults to 5m and wins. Set both (reduced+max=60s) for a maximum of 1m.";
