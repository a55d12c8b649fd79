import type { BackoffList, ListItem } from "../../explain/list.ts";
import { windowsStatusOf } from "../../kubelet/exit-codes.ts";
import { formatBriefDuration } from "../../kubelet/go-duration.ts";
import { formatElapsed, wholeSecondsAhead } from "../page/durations.ts";
import { harmless } from "../page/harmless.ts";
import { displayWidth, shorten, wrap } from "../page/width.ts";

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
  /** How dearly a name holds on to its width, where not all fit; figures keep theirs. */
  readonly worth?: number;
  /** Which columns a terminal that is too narrow for all of them goes without: 1 first; the others stay. */
  readonly leaves?: number;
}

const NAMESPACE: Column = { heading: "NAMESPACE", cell: ({ namespace }) => namespace, worth: 1 };

const COLUMNS: readonly Column[] = [
  { heading: "POD", cell: ({ pod }) => pod, worth: 2 },
  { heading: "CONTAINER", cell: ({ container }) => container, worth: 1, leaves: 3 },
  { heading: "STATE", cell: ({ state }) => state, leaves: 5 },
  { heading: "RESTARTS", cell: ({ restartCount }) => `${restartCount}`, leaves: 2 },
  { heading: "DELAY", cell: ({ delayMs }) => (delayMs === null ? UNKNOWN : formatBriefDuration(delayMs)), leaves: 4 },
  { heading: "NEXT", cell: nextCell },
  { heading: "CAUSE", cell: causeCell, worth: 1, leaves: 1 },
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
const LEAST_WIDTH = 9;
const MOST = Number.POSITIVE_INFINITY;

/** A table as kubectl prints them, and how many containers are down for which cause. Empty if there are none. */
export function renderListTable({ atMs, items }: BackoffList, look: ListLook): string {
  if (items.length === 0) return "";
  const all = [...(look.hasNamespaces ? [NAMESPACE] : []), ...COLUMNS, ...(look.isWide ? WIDE : [])];
  const headings = all.map(({ heading }) => heading);
  const rows = items.map((item) => all.map(({ cell }) => harmless(cell(item, atMs))));
  const lines = withFewer(look.hasHeaders ? [headings, ...rows] : rows, all, look);
  const totals = look.hasHeaders ? ["", ...wrap(totalsLine(items), look.columns ?? Number.POSITIVE_INFINITY)] : [];
  return `${[...lines, ...totals].join("\n")}\n`;
}

/** A line that is wider than the terminal goes on in the next one, and nothing stands below its heading any more. */
function withFewer(rows: readonly (readonly string[])[], columns: readonly Column[], look: ListLook): string[] {
  const lines = aligned(rows, columns, look);
  const most = look.isWide ? null : look.columns;
  const isTooWide = most !== null && lines.some((line) => displayWidth(line) > most);
  const leaving = columns.reduce((first, { leaves = MOST }) => Math.min(first, leaves), MOST);
  if (!isTooWide || leaving === MOST) return lines;
  const stays = columns.map(({ leaves }) => leaves !== leaving);
  const kept = <T>(cells: readonly T[]): T[] => cells.filter((_, index) => stays[index]);
  return withFewer(rows.map(kept), kept(columns), look);
}

function aligned(rows: readonly (readonly string[])[], columns: readonly Column[], look: ListLook): string[] {
  const most =
    look.isWide || total(widthsOf(rows), GAP) <= (look.columns ?? Number.POSITIVE_INFINITY) ? null : look.columns;
  const gap = most === null ? GAP : NARROW_GAP;
  const brief = most === null ? rows : rows.map((row) => row.map((cell) => (cell === UNKNOWN ? "?" : cell)));
  const widths = most === null ? widthsOf(brief) : fitted(widthsOf(brief), columns, most);
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
    const { heading, worth } = columns[index] ?? {};
    const width = widths[index] ?? 0;
    return worth === undefined || width <= Math.max(LEAST_WIDTH, heading?.length ?? 0) ? 0 : width / worth;
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

/** kubectl's own word. */
export const UNKNOWN = "<unknown>";

/** Causes by their names; the others are told by the exit code, or by what the status says. */
const CAUSES: Partial<Readonly<Record<ListItem["cause"], string>>> = {
  oom: "OOMKilled",
  "liveness-probe": "liveness probe",
  "startup-probe": "startup probe",
  "post-start-hook": "postStart hook",
  "start-error": "start error",
  "restart-all": "restart of all",
  "spec-change": "spec change",
  "image-pull": "image pull",
};

/** Why a container is down, in a cell: "exit 1", "signal 9", "OOMKilled", "CreateContainerConfigError". */
function causeCell({ cause, lastExit, reported }: ListItem): string {
  const named = CAUSES[cause];
  if (named !== undefined) return named;
  if (cause === "start-failure") return harmless(reported ?? "start failure");
  if (lastExit === null || cause === "unknown") return "unknown";
  const { signal, exitCode } = lastExit;
  if (cause === "exited" || windowsStatusOf(exitCode) !== null) return `exit ${exitCode}`;
  return `signal ${signal ?? exitCode - 128}`;
}

/** How far away the next restart is: "1m27s-1m57s", "20s", "<28s" if it may come at any time until then, "now"; "overdue 5m". */
export function nextCell({ nextRestart, overdue, state }: ListItem, nowMs: number): string {
  if (state === "running") return "<none>";
  if (overdue !== null) return `overdue ${formatElapsed(nowMs - overdue.expectedByMs)}`;
  if (nextRestart === null) return UNKNOWN;
  const [from, to] = wholeSecondsAhead(nextRestart.notBeforeMs - nowMs, nextRestart.likelyByMs - nowMs);
  if (to === 0) return "now";
  if (from === 0) return `<${formatBriefDuration(to)}`;
  return from === to ? formatBriefDuration(from) : `${formatBriefDuration(from)}-${formatBriefDuration(to)}`;
}

/** "5 containers in 3 pods are down: 3 exit 1, 1 OOMKilled, 1 image pull." and the same of those that are up in a crash loop. */
function totalsLine(items: readonly ListItem[]): string {
  const [down, up] = [
    items.filter(({ state }) => state !== "running"),
    items.filter(({ state }) => state === "running"),
  ];
  return [
    ...(down.length === 0 ? [] : [sentenceOf(down, down.length === 1 ? "is down" : "are down")]),
    ...(up.length === 0 ? [] : [sentenceOf(up, up.length === 1 ? "crash-loops but is up" : "crash-loop but are up")]),
  ].join(" ");
}

/** The most frequent cause first. */
function sentenceOf(items: readonly ListItem[], predicate: string): string {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(causeCell(item), (counts.get(causeCell(item)) ?? 0) + 1);
  const told = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  const pods = new Set(items.map(({ namespace, pod }) => `${namespace}/${pod}`)).size;
  const subject = `${counted(items.length, "container")} in ${counted(pods, "pod")}`;
  return `${subject} ${predicate}: ${told.map(([cause, count]) => `${count} ${cause}`).join(", ")}.`;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
