import type { BackoffList, ListItem } from "../explain/list.ts";
import { formatBriefDuration } from "../kubelet/go-duration.ts";
import { formatElapsed } from "./durations.ts";
import { harmless } from "./harmless.ts";
import { causeCell, nextCell, totalsLine } from "./list-words.ts";
import { displayWidth, shorten, wrap } from "./width.ts";

/** What a table of a list shows. */
export interface ListLook {
  /** The widest that a line may be; null where nobody minds, as in a pipe: then no name is shortened. */
  readonly columns: number | null;
  readonly isWide: boolean;
  /** All namespaces are listed, so each line names its own. */
  readonly hasNamespaces: boolean;
  readonly hasHeaders: boolean;
}

interface Column {
  readonly heading: string;
  cell(item: ListItem, nowMs: number): string;
  /** Texts of the cluster may be shortened, figures not. The first to be shortened is the widest. */
  readonly isName?: boolean;
}

const NAMESPACE: Column = { heading: "NAMESPACE", cell: ({ namespace }) => namespace, isName: true };

const COLUMNS: readonly Column[] = [
  { heading: "POD", cell: ({ pod }) => pod, isName: true },
  { heading: "CONTAINER", cell: ({ container }) => container, isName: true },
  { heading: "STATE", cell: ({ state }) => state },
  { heading: "RESTARTS", cell: ({ restartCount }) => `${restartCount}` },
  { heading: "DELAY", cell: ({ delayMs }) => (delayMs === null ? "<unknown>" : formatBriefDuration(delayMs)) },
  { heading: "NEXT", cell: nextCell },
  { heading: "CAUSE", cell: causeCell, isName: true },
];

const WIDE: readonly Column[] = [
  { heading: "NODE", cell: ({ node }) => node ?? "<none>" },
  { heading: "OWNER", cell: ({ owner }) => (owner === null ? "<none>" : `${owner.kind}/${owner.name}`) },
  {
    heading: "AGE",
    cell: ({ createdAtMs }, nowMs) => (createdAtMs === null ? "<unknown>" : formatElapsed(nowMs - createdAtMs)),
  },
  { heading: "STATUS", cell: ({ reported }) => reported ?? "<none>" },
];

/** kubectl's own. */
const GAP = 3;
const NARROW_GAP = 1;
const LEAST_WIDTH = 8;

/** A table as kubectl prints them, and how many containers are down for which cause. Empty if there are none. */
export function renderListTable({ atMs, items }: BackoffList, look: ListLook): string {
  if (items.length === 0) return "";
  const columns = [...(look.hasNamespaces ? [NAMESPACE] : []), ...COLUMNS, ...(look.isWide ? WIDE : [])];
  const headings = columns.map(({ heading }) => heading);
  const rows = items.map((item) => columns.map(({ cell }) => harmless(cell(item, atMs))));
  const lines = aligned(look.hasHeaders ? [headings, ...rows] : rows, columns, look);
  const totals = look.hasHeaders ? ["", ...wrap(totalsLine(items), look.columns ?? Number.POSITIVE_INFINITY)] : [];
  return `${[...lines, ...totals].join("\n")}\n`;
}

function aligned(rows: readonly (readonly string[])[], columns: readonly Column[], look: ListLook): string[] {
  const natural = columns.map((_, index) =>
    rows.reduce((most, row) => Math.max(most, displayWidth(row[index] ?? "")), 0),
  );
  const isTight = look.columns !== null && !look.isWide && total(natural, GAP) > look.columns;
  const gap = isTight ? NARROW_GAP : GAP;
  const widths = isTight ? fitted(natural, columns, look.columns ?? 0, gap) : natural;
  return rows.map((row) =>
    row
      .map((cell, index) => padded(shorten(cell, widths[index] ?? 1), (widths[index] ?? 0) + gap))
      .join("")
      .trimEnd(),
  );
}

/** The widest names give way until all fits, but keep enough to be recognised. */
function fitted(natural: readonly number[], columns: readonly Column[], most: number, gap: number): number[] {
  const widths = [...natural];
  while (total(widths, gap) > most) {
    const widest = widths.reduce(
      (best, width, index) => (columns[index]?.isName && width > (widths[best] ?? 0) ? index : best),
      columns.findIndex(({ isName }) => isName),
    );
    const width = widths[widest] ?? 0;
    if (width <= LEAST_WIDTH) break;
    widths[widest] = width - 1;
  }
  return widths;
}

function total(widths: readonly number[], gap: number): number {
  return widths.reduce((sum, width) => sum + width, 0) + gap * (widths.length - 1);
}

function padded(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - displayWidth(text)));
}
