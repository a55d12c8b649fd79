import type { BackoffList, ListItem } from "../../explain/list.ts";
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

/** What a table of a list shows. */
export interface ListLook {
  /** The columns that a line may take; null for no limit, as in a pipe: then the table shortens no names. */
  readonly columns: number | null;
  readonly isWide: boolean;
  /** All namespaces are listed, so each line names its own. */
  readonly hasNamespaces: boolean;
  readonly hasHeaders: boolean;
  /** Containers of a workload that are alike share a line; never in the wide table, which has each pod's own. */
  readonly isGrouped: boolean;
  /** The list leaves out what crash-loops but is up. */
  readonly isDownOnly: boolean;
}

/** What a list without any container says. */
export function noneListed(isDownOnly: boolean): string {
  return `No containers are ${isDownOnly ? "down" : "crash-looping or failing to start"}`;
}

interface Column {
  readonly heading: string;
  cell(row: ListRow, nowMs: number): string;
  /** How dearly a name holds on to its width, where not all fit; figures keep theirs. */
  readonly worth?: number;
  /** The width that it keeps in any case, if that is more than usual. */
  readonly least?: number;
  /** Which columns a terminal that is too narrow for all of them goes without: 1 first; the others stay. */
  readonly leaves?: number;
}

const NAMESPACE: Column = { heading: "NAMESPACE", cell: ({ items }) => items[0].namespace, worth: 1 };
const POD: Column = { heading: "POD", cell: ({ name }) => name, worth: 2 };
const NAME_AND_PODS: readonly Column[] = [
  { ...POD, heading: "NAME" },
  { heading: "PODS", cell: ({ pods }) => pods, leaves: 6 },
];

const COLUMNS: readonly Column[] = [
  { heading: "CONTAINER", cell: ({ items }) => items[0].container, worth: 1, leaves: 3 },
  { heading: "STATE", cell: ({ items }, nowMs) => stateCell(items, nowMs), leaves: 7 },
  { heading: "RESTARTS", cell: ({ items }) => restartsCell(items), leaves: 2 },
  { heading: "DELAY", cell: ({ items }) => delayCell(items), leaves: 4 },
  { heading: "NEXT", cell: ({ items }, nowMs) => nextCell(items, nowMs) },
  { heading: "CAUSE", cell: ({ items }) => causeCell(items[0]), worth: 1, least: 18, leaves: 5 },
  { heading: "SINCE", cell: ({ items }, nowMs) => sinceCell(items, nowMs), leaves: 1 },
];

const WIDE: readonly Column[] = [
  { heading: "NODE", cell: ({ items }) => items[0].node ?? "<none>" },
  { heading: "OWNER", cell: ({ items }) => ownerCell(items[0].owner) },
  { heading: "AGE", cell: ({ items }, nowMs) => ageCell(items[0].createdAtMs, nowMs) },
  { heading: "STATUS", cell: ({ items }) => items[0].reported ?? "<none>" },
];

function ownerCell(owner: ListItem["owner"]): string {
  return owner === null ? "<none>" : `${owner.kind}/${owner.name}`;
}

function ageCell(createdAtMs: number | null, nowMs: number): string {
  if (createdAtMs === null) return UNKNOWN;
  return isAhead(nowMs - createdAtMs) ? "in the future (clocks differ)" : formatElapsed(nowMs - createdAtMs);
}

/** kubectl's own. */
const GAP = 3;
const NARROW_GAP = 1;
const LEAST_WIDTH = 9;
const MOST = Number.POSITIVE_INFINITY;

/** A table as kubectl prints them, and how many containers are down for which cause. Empty if there are none. */
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

/** A line that is wider than the terminal goes on in the next one, and nothing stands below its heading any more. */
function withFewer(rows: readonly (readonly string[])[], columns: readonly Column[], most: number): string[] {
  const lines = aligned(rows, columns, most);
  const leaving = columns.reduce((first, { leaves = MOST }) => Math.min(first, leaves), MOST);
  if (leaving === MOST || lines.every((line) => displayWidth(line) <= most)) return lines;
  const stays = columns.map(({ leaves }) => leaves !== leaving);
  const kept = <T>(cells: readonly T[]): T[] => cells.filter((_, index) => stays[index]);
  return withFewer(rows.map(kept), kept(columns), most);
}

function aligned(rows: readonly (readonly string[])[], columns: readonly Column[], most: number): string[] {
  const isTight = total(widthsOf(rows), GAP) > most;
  const gap = isTight ? NARROW_GAP : GAP;
  const brief = isTight ? rows.map((row) => row.map((cell) => (cell === UNKNOWN ? "?" : cell))) : rows;
  const widths = isTight ? fitted(widthsOf(brief), columns, most) : widthsOf(brief);
  return brief.map((row) =>
    row
      .map((cell, index) => padded(shorten(cell, widths[index] ?? 1), (widths[index] ?? 0) + gap))
      .join("")
      .trimEnd(),
  );
}

function widthsOf(rows: readonly (readonly string[])[]): number[] {
  const [first = []] = rows;
  return first.map((_, index) => rows.reduce((most, row) => Math.max(most, displayWidth(row[index] ?? "")), 0));
}

/** The widest names give way until all fits, but keep what it takes to recognise them, and their headings. */
function fitted(natural: readonly number[], columns: readonly Column[], most: number): number[] {
  const widths = [...natural];
  const spare = (index: number): number => {
    const { heading, worth, least = LEAST_WIDTH } = columns[index] ?? {};
    const width = widths[index] ?? 0;
    return worth === undefined || width <= Math.max(least, heading?.length ?? 0) ? 0 : width / worth;
  };
  while (total(widths, NARROW_GAP) > most) {
    const widest = widths.reduce((best, _, index) => (spare(index) > spare(best) ? index : best), 0);
    if (spare(widest) === 0) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return widths;
}

function total(widths: readonly number[], gap: number): number {
  return widths.reduce((sum, width) => sum + width, 0) + gap * (widths.length - 1);
}

function padded(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - displayWidth(text)));
}

/** "5 containers in 3 pods are down: 3 exit 1, 1 OOMKilled (137), 1 image pull." and the same of those that are up in a crash loop. */
function totalsLine(items: readonly ListItem[]): string {
  const [down, up] = [
    items.filter(({ state }) => state !== "running"),
    items.filter(({ state }) => state === "running"),
  ];
  const late = items.filter(({ overdue }) => overdue !== null).length;
  return [
    ...(down.length === 0 ? [] : [sentenceOf(down, down.length === 1 ? "is down" : "are down")]),
    ...(late === 0 ? [] : [`${counted(late, "restart")} ${late === 1 ? "is" : "are"} overdue.`]),
    ...(up.length === 0 ? [] : [sentenceOf(up, up.length === 1 ? "crash-loops but is up" : "crash-loop but are up")]),
  ].join(" ");
}

/** The most frequent cause first. */
function sentenceOf(items: readonly ListItem[], predicate: string): string {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(harmless(causeCell(item)), (counts.get(harmless(causeCell(item))) ?? 0) + 1);
  const told = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  const pods = new Set(items.map(({ namespace, pod }) => `${namespace}/${pod}`)).size;
  const subject = `${counted(items.length, "container")} in ${counted(pods, "pod")}`;
  return `${subject} ${predicate}: ${told.map(([cause, count]) => `${count} ${cause}`).join(", ")}.`;
}
