import type { BackoffList, ListItem } from "../../explain/list.ts";
import { columnWidths, lineWidth } from "../page/columns.ts";
import { formatElapsed, isAhead } from "../page/durations.ts";
import { harmless } from "../page/harmless.ts";
import { textOf } from "../page/page.ts";
import { counted } from "../page/paint.ts";
import { displayWidth, shorten, wrap } from "../page/width.ts";
import {
  causeCell,
  delayCell,
  groupedRows,
  type ListRow,
  nextCell,
  restartsCell,
  sinceCell,
  singleRows,
  stateCell,
  UNKNOWN,
} from "./list-rows.ts";

export interface ListLook {
  /** The width of the terminal; null in a pipe, where lines may have any width and no names are shortened. */
  readonly columns: number | null;
  readonly isWide: boolean;
  readonly hasNamespaces: boolean;
  readonly hasHeaders: boolean;
  /** Whether containers of a workload that fail in the same way share a row. The wide table ignores this. */
  readonly isGrouped: boolean;
  /** Whether the list leaves out containers that crash-loop but are running now. */
  readonly isDownOnly: boolean;
}

export function noneListed(isDownOnly: boolean): string {
  return `No containers are ${isDownOnly ? "down" : "crash-looping or failing to start"}`;
}

interface Column {
  readonly heading: string;
  cell(row: ListRow, nowMs: number): string;
  /** The column's share of the room on a narrow terminal. A column without a weight is not narrowed. */
  readonly weight?: number;
  /** The least width, in characters, to which a narrow terminal reduces the column. Default: LEAST_WIDTH. */
  readonly leastWidth?: number;
  /** The order in which columns are left out on a narrow terminal, 1 first. A column without a number always stays. */
  readonly dropOrder?: number;
}

const NAMESPACE: Column = { heading: "NAMESPACE", cell: ({ items }) => items[0].namespace, weight: 1 };
const POD: Column = { heading: "POD", cell: ({ name }) => name, weight: 2 };
const NAME_AND_PODS: readonly Column[] = [
  { ...POD, heading: "NAME" },
  { heading: "PODS", cell: ({ pods }) => pods, dropOrder: 6 },
];

const COLUMNS: readonly Column[] = [
  { heading: "CONTAINER", cell: ({ items }) => items[0].container, weight: 1, dropOrder: 3 },
  { heading: "STATE", cell: ({ items }, nowMs) => stateCell(items, nowMs), dropOrder: 7 },
  { heading: "RESTARTS", cell: ({ items }) => restartsCell(items), dropOrder: 2 },
  { heading: "DELAY", cell: ({ items }) => delayCell(items), dropOrder: 4 },
  { heading: "NEXT", cell: ({ items }, nowMs) => nextCell(items, nowMs) },
  { heading: "CAUSE", cell: ({ items }) => causeCell(items[0]), weight: 1, leastWidth: 18, dropOrder: 5 },
  { heading: "SINCE", cell: ({ items }, nowMs) => sinceCell(items, nowMs), dropOrder: 1 },
];

const WIDE: readonly Column[] = [
  { heading: "NODE", cell: ({ items }) => items[0].node ?? "<none>" },
  { heading: "OWNER", cell: ({ items: [{ owner }] }) => (owner === null ? "<none>" : `${owner.kind}/${owner.name}`) },
  { heading: "AGE", cell: ({ items }, nowMs) => ageCell(items[0].createdAtMs, nowMs) },
  { heading: "STATUS", cell: ({ items }) => items[0].reported ?? "<none>" },
];

function ageCell(createdAtMs: number | null, nowMs: number): string {
  if (createdAtMs === null) return UNKNOWN;
  return isAhead(nowMs - createdAtMs) ? "in the future (clocks differ)" : formatElapsed(nowMs - createdAtMs);
}

const GAP = 3;
const NARROW_GAP = 1;
const LEAST_WIDTH = 9;
const MOST = Number.POSITIVE_INFINITY;

/** Returns a table like kubectl's, and a sentence with the number of containers per cause; "" for an empty list. */
export function renderListTable(list: BackoffList, look: ListLook): string {
  const { atMs, items } = list;
  if (items.length === 0) return "";
  const rows = look.isGrouped && !look.isWide ? groupedRows(list) : singleRows(list);
  const names = rows.length < items.length ? NAME_AND_PODS : [POD];
  const columns = [...(look.hasNamespaces ? [NAMESPACE] : []), ...names, ...COLUMNS, ...(look.isWide ? WIDE : [])];
  const headings = columns.map(({ heading }) => heading);
  const cells = rows.map((row) => columns.map(({ cell }) => harmless(cell(row, atMs))));
  const most = look.columns ?? MOST;
  const lines = withFewer(look.hasHeaders ? [headings, ...cells] : cells, columns, look.isWide ? MOST : most);
  return textOf([lines, look.hasHeaders ? wrap(totalsLine(items), most) : []]);
}

/** Leaves out columns until no line is wider than `most`: a terminal breaks wider lines, which moves their cells. */
function withFewer(rows: readonly (readonly string[])[], columns: readonly Column[], most: number): string[] {
  const lines = aligned(rows, columns, most);
  const dropped = Math.min(...columns.map(({ dropOrder = MOST }) => dropOrder));
  if (dropped === MOST || lines.every((line) => displayWidth(line) <= most)) return lines;
  const kept = <T>(cells: readonly T[]): T[] => cells.filter((_, index) => columns[index]?.dropOrder !== dropped);
  return withFewer(rows.map(kept), kept(columns), most);
}

function aligned(rows: readonly (readonly string[])[], columns: readonly Column[], most: number): string[] {
  const isTight = lineWidth(columnWidths(rows), GAP) > most;
  const gap = isTight ? NARROW_GAP : GAP;
  const brief = isTight ? rows.map((row) => row.map((cell) => (cell === UNKNOWN ? "?" : cell))) : rows;
  const widths = isTight ? fitted(columnWidths(brief), columns, most) : columnWidths(brief);
  return brief.map((row) => {
    const cells = row.map((cell, index) => padded(shorten(cell, widths[index] ?? 1), (widths[index] ?? 0) + gap));
    return cells.join("").trimEnd();
  });
}

function padded(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - displayWidth(text)));
}

/** Narrows the widest columns of names until a line fits, but none below its heading or its least width. */
function fitted(natural: readonly number[], columns: readonly Column[], most: number): number[] {
  const widths = [...natural];
  const spare = (index: number): number => {
    const { heading, weight, leastWidth = LEAST_WIDTH } = columns[index] ?? {};
    const width = widths[index] ?? 0;
    return weight === undefined || width <= Math.max(leastWidth, heading?.length ?? 0) ? 0 : width / weight;
  };
  while (lineWidth(widths, NARROW_GAP) > most) {
    const widest = widths.reduce((best, _, index) => (spare(index) > spare(best) ? index : best), 0);
    if (spare(widest) === 0) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return widths;
}

/** Returns "5 containers in 3 pods are down: 3 exit 1, 1 OOMKilled (137), 1 image pull. 1 restart is overdue." */
function totalsLine(items: readonly ListItem[]): string {
  const down = items.filter(({ state }) => state !== "running");
  const up = items.filter(({ state }) => state === "running");
  const late = items.filter(({ overdue }) => overdue !== null).length;
  const sentences = [
    sentenceOf(down, down.length === 1 ? "is down" : "are down"),
    late > 0 && `${counted(late, "restart")} ${late === 1 ? "is" : "are"} overdue.`,
    sentenceOf(up, up.length === 1 ? "crash-loops but is up" : "crash-loop but are up"),
  ];
  return sentences.filter(Boolean).join(" ");
}

function sentenceOf(items: readonly ListItem[], predicate: string): string {
  if (items.length === 0) return "";
  const byCause = [...Map.groupBy(items, (item) => harmless(causeCell(item)))];
  byCause.sort(([a, all], [b, others]) => others.length - all.length || (a < b ? -1 : 1));
  const pods = new Set(items.map(({ namespace, pod }) => `${namespace}/${pod}`)).size;
  const subject = `${counted(items.length, "container")} in ${counted(pods, "pod")}`;
  return `${subject} ${predicate}: ${byCause.map(([cause, { length }]) => `${length} ${cause}`).join(", ")}.`;
}
