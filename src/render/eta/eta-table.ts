import { distinctQuantiles, type Eta } from "../../explain/answer/eta.ts";
import type { Window } from "../../explain/answer/explanation.ts";
import { formatPercent } from "../../explain/answer/prose.ts";
import { formatBriefDuration } from "../../kubelet/go-duration.ts";
import { durationScale } from "../charts/scales.ts";
import { ownerCell } from "../list/list-cells.ts";
import { shortName } from "../list/list-rows.ts";
import { momentLines } from "../page/as-of.ts";
import { tableLines, tableWidth } from "../page/columns.ts";
import { countdownCellTo, windowCell } from "../page/durations.ts";
import { harmless } from "../page/harmless.ts";
import { pageColumns, pageText, type RenderOptions } from "../page/page.ts";
import { counted, paint } from "../page/paint.ts";
import { type Times, timesAround } from "../page/times.ts";
import { wrap } from "../page/width.ts";
import { commandLines } from "../pod/next-steps.ts";
import { type Advice, adviceOf } from "./eta-advice.ts";
import { assumptionWords, type EtaLook, etaHeadline } from "./eta-words.ts";

export function renderEtaTable(eta: Eta, options: EtaLook): string {
  const { rows = Number.POSITIVE_INFINITY } = options;
  const text = tableText(eta, options, true);
  return text.split("\n").length < rows ? text : tableText(eta, options, false);
}

function tableText(eta: Eta, options: EtaLook, hasCurve: boolean): string {
  const columns = Math.min(pageColumns(options), MOST_COLUMNS);
  const times = timesAround(eta.atMs, options.timeZone);
  const isWaiting = eta.down.length > 0;
  const figures = quantileTable(eta, times);
  return pageText([
    [...momentLines(eta, times, columns), ...wrap(etaHeadline(eta, times, options), columns)],
    isWaiting && tableWidth(figures) <= columns ? tableLines(figures, options.color) : [],
    isWaiting && hasCurve && columns >= LEAST_CURVE ? curveLines(eta, columns, options) : [],
    workloadLines(eta, columns, options),
    ...adviceOf(eta, times).map((advice) => adviceLines(advice, columns)),
    isWaiting ? wrap(assumptionWords(eta), columns) : [],
    options.isWide === true ? containerLines(eta, times, options) : [],
  ]);
}

function adviceLines(advice: readonly Advice[], columns: number): string[] {
  return advice.flatMap(({ sentence, command }) => [
    ...wrap(sentence, columns),
    ...(command === null ? [] : commandLines(command, columns - 2).map((line) => `  ${line}`)),
  ]);
}

const MOST_WORKLOADS = 15;

function workloadLines(eta: Eta, columns: number, { color, isWide = false }: EtaLook): string[] {
  const all = workloadTable(eta);
  if (all === null) return [];
  const rows = isWide ? all.rows : all.rows.slice(-MOST_WORKLOADS);
  const table = { ...all, rows };
  if (tableWidth(table) > columns) return [];
  const left = all.rows.length - rows.length;
  return [
    ...tableLines(table, color, "words"),
    ...(left === 0 ? [] : wrap(`${counted(left, "workload")} before these: -o wide.`, columns)),
  ];
}

export function workloadTable({ workloads, atMs }: Eta) {
  if (workloads.length < 2) return null;
  const hasNamespaces = new Set(workloads.map(({ namespace }) => namespace)).size > 1;
  const hasNeeds = workloads.some(({ needs }) => needs.length > 0);
  const rows = workloads.map(({ namespace, pods, upAgain, needs, ...workload }) => [
    ...(hasNamespaces ? [harmless(namespace)] : []),
    harmless(shortName(workload)),
    String(pods),
    windowCell(upAgain, atMs),
    ...(hasNeeds ? [needs.map(({ service }) => harmless(service)).join(", ") || "-"] : []),
  ]);
  const headings = [
    ...(hasNamespaces ? ["NAMESPACE"] : []),
    ...["WORKLOAD", "PODS", "UP AGAIN"],
    ...(hasNeeds ? ["AFTER"] : []),
  ];
  return { headings, rows };
}

function containerLines({ down, overdue, atMs }: Eta, times: Times, { color }: RenderOptions): string[] {
  const inTime = (window: Window | null): string => (window === null ? "unknown" : windowCell(window, atMs));
  const hasNeeds = down.some(({ needs }) => needs.length > 0);
  const rows = [...down, ...overdue].map(({ namespace, pod, container, node, owner, delayMs, waitsFor, ...next }) => [
    ...[namespace, pod, container, node ?? "<none>", ownerCell(owner)],
    delayMs === null ? "unknown" : formatBriefDuration(delayMs),
    next.overdue === null ? inTime(next.nextRestart) : `since ${times.instant(next.overdue.expectedByMs)}`,
    ...(hasNeeds ? [next.overdue === null ? inTime(next.upAgain) : "unknown"] : []),
    [waitsFor ?? [], next.needs.map(({ service }) => `service/${service}`)].flat(2).join(", ") || "-",
  ]);
  const upAgain = hasNeeds ? ["UP AGAIN"] : [];
  const headings = ["NAMESPACE", "POD", "CONTAINER", "NODE", "OWNER", "DELAY", "NEXT", ...upAgain, "WAITS FOR"];
  const cells = rows.map((row) => row.map(harmless));
  return rows.length === 0 ? [] : tableLines({ headings, rows: cells }, color, "words");
}

const MOST_COLUMNS = 120;
const LEAST_CURVE = 40;

export function quantileTable(eta: Eta, times: Times) {
  const rows = distinctQuantiles(eta).map((quantile) => [
    formatPercent(quantile.share),
    String(quantile.count),
    countdownCellTo(quantile.atMs - eta.atMs),
    times.instant(quantile.atMs),
    `by ${times.instant(quantile.likelyByMs)}`,
  ]);
  return { headings: ["UP", "COUNT", "IN", "AT", "95% CONFIDENCE"], rows };
}

const HEIGHT = 6;
const LABELS = ["100%", "", "", "50%", "", ""];
const LABEL_WIDTH = 4;
const EIGHTHS = " ▁▂▃▄▅▆▇█";
const TICK_COLUMNS = 12;

function curveLines({ curve, atMs, down }: Eta, columns: number, { color }: RenderOptions): string[] {
  const width = columns - LABEL_WIDTH - 2;
  const endMs = curve.at(-1)?.atMs ?? atMs;
  const shareAt = (column: number): number => {
    const point = curve[Math.round(((column + 1) / width) * (curve.length - 1))];
    return (point?.up ?? 0) / down.length;
  };
  const rows = Array.from({ length: HEIGHT }, (_, row) => {
    const cells = Array.from({ length: width }, (__, column) => {
      const eighths = Math.round((shareAt(column) * HEIGHT - (HEIGHT - 1 - row)) * 8);
      return EIGHTHS[Math.min(8, Math.max(0, eighths))] ?? " ";
    });
    const label = (LABELS[row] ?? "").padStart(LABEL_WIDTH);
    return `${paint(`${label} |`, "quiet", color)}${paint(cells.join("").trimEnd(), "good", color)}`;
  });
  const scale = durationScale(endMs - atMs, [0, width - 1], Math.floor(width / TICK_COLUMNS));
  let axis = "";
  for (const { value, label } of scale.ticks) {
    const name = value === 0 ? "now" : label;
    const at = Math.round(scale.at(value));
    if (at + name.length <= width) axis = axis.padEnd(at) + name;
  }
  return [...rows, paint(`${" ".repeat(LABEL_WIDTH + 2)}${axis}`, "quiet", color)];
}
