import type { BackoffList, ListItem } from "../../explain/answer/backoff-list.ts";
import { momentLines } from "../page/as-of.ts";
import { harmless } from "../page/harmless.ts";
import { pageText } from "../page/page.ts";
import { counted, paint } from "../page/paint.ts";
import { timesAround } from "../page/times.ts";
import { wrap } from "../page/width.ts";
import {
  type AnyRow,
  COLUMNS,
  CONTAINER,
  type Column,
  cellOf,
  NAME,
  NAMESPACE,
  PODS,
  READY,
  WIDE_ONLY_COLUMNS,
} from "./list-columns.ts";
import { fittingLines } from "./list-layout.ts";
import { containerRows, type ListRow, type NotReadyRow, notReadyRows } from "./list-rows.ts";
import { type SectionKey, sectionsOf } from "./list-sections.ts";
import { commonLines, type EmptyListLook, totalsLine } from "./list-sentences.ts";

export interface ListLook extends EmptyListLook {
  readonly isWide: boolean;
  readonly hasNamespaces: boolean;
  readonly hasHeaders: boolean;
  readonly isGrouped: boolean;
  readonly color: boolean;
  readonly by?: SectionKey | null;
  /** Whether containers may be missing from the list, because something could not be read. */
  readonly isIncomplete?: boolean;
}

/** Whether the column PODS adds anything to the column READY, which already shows how many pods are not ready. */
function hasOwnCount({ pods, readiness }: Pick<ListRow, "pods" | "readiness">): boolean {
  return pods > 1 && (readiness === null || pods !== readiness.all - readiness.ready);
}

function hasOwnName(row: ListRow | NotReadyRow): boolean {
  if ("items" in row) return isOther(row.items[0].container, row.items[0]);
  const [{ container, cause, ...pod }] = row.notReady;
  return container !== null && cause !== "init-container" && isOther(container.name, { ...pod, ...container });
}

function isOther(container: string, pod: Pick<ListItem, "pod" | "workload" | "isOnlyApp">): boolean {
  return container !== (pod.workload?.name ?? pod.pod) && !pod.isOnlyApp;
}

export function renderListTable(list: BackoffList, look: ListLook): string {
  const { columns, headings, rows } = listCells(list, look);
  if (rows.length === 0) return "";
  const most = look.columns;
  const cells = rows.map((row) => row.cells);
  const width = look.isWide ? Number.POSITIVE_INFINITY : most;
  const laidOut = fittingLines(look.hasHeaders ? [headings, ...cells] : cells, columns, width);
  const heading = look.hasHeaders ? laidOut.splice(0, 1).flat() : [];
  const lines = [
    ...heading.map((line) => paint(line, "quiet", look.color)),
    ...laidOut.flatMap((linesOfRow, index) => [...titleLines(rows[index]?.title ?? null, look), ...linesOfRow]),
  ];
  if (!look.hasHeaders) return pageText([lines]);
  const moment = momentLines(list, timesAround(list.atMs, look.timeZone), most);
  const common = commonLines(list, look.timeZone).flatMap((line) => wrap(line, most));
  return pageText([moment, common, lines, wrap(totalsLine(list), most)]);
}

function titleLines(title: string | null, { hasHeaders, color }: ListLook): string[] {
  return title === null || !hasHeaders ? [] : ["", paint(title, "title", color)];
}

export function listCells(list: BackoffList, look: ListLook) {
  const { by = null, timeZone } = look;
  const isGrouped = look.isGrouped && !look.isWide;
  const failing = containerRows(list, isGrouped, by);
  const notReady = notReadyRows(list, isGrouped);
  const columns = columnsOf(list, [...failing, ...notReady], look);
  const sections: { readonly title: string | null; readonly rows: readonly AnyRow[] }[] = [
    ...sectionsOf(failing, by),
    { title: `not Ready: ${counted(list.notReady.length, "pod")}`, rows: notReady },
    { title: "failed Jobs", rows: list.failedJobs ?? [] },
  ];
  const rows = sections.flatMap(({ title, rows: rowsOfSection }) =>
    rowsOfSection.map((row, index) => ({
      title: by === null || title === null || index > 0 ? null : harmless(title),
      cells: columns.map((column) => cellOf(column, row, list.atMs, timeZone)),
    })),
  );
  return { columns, headings: columns.map(({ heading }) => heading), rows };
}

function columnsOf(list: BackoffList, rows: readonly (ListRow | NotReadyRow)[], look: ListLook): Column[] {
  const isUnknown = list.allPods === undefined && rows.some(({ readiness }) => readiness === null);
  return [
    ...(look.hasNamespaces ? [NAMESPACE] : []),
    NAME,
    ...(rows.some(hasOwnCount) ? [PODS] : []),
    ...(look.isWide || rows.some(hasOwnName) ? [CONTAINER] : []),
    ...(isUnknown ? [] : [READY]),
    ...COLUMNS,
    ...(look.isWide ? WIDE_ONLY_COLUMNS : []),
  ];
}
