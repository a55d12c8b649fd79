import type { BackoffList } from "../../explain/answer/backoff-list.ts";
import { columnWidths } from "../page/columns.ts";
import { harmless } from "../page/harmless.ts";
import { clipped, displayWidth } from "../page/width.ts";
import { evidenceCell } from "./list-causes.ts";
import { NOT_READY, notReadyCause, notReadyRows } from "./list-not-ready.ts";
import { groupedRows, nextCell, stateCell } from "./list-rows.ts";

/** A pod, workload or Job of the list that the user can choose to explain. */
export interface ListChoice {
  readonly namespace: string;
  /** The argument of `kubectl backoff explain`: "pod/web-0", "deploy/web", "job/migrate". */
  readonly target: string;
  /** One line: the name, the state, the next restart and the cause, cut at the width of the terminal. */
  readonly line: string;
}

interface Look {
  readonly columns: number;
  readonly hasNamespaces: boolean;
}

const GAP = 2;

/**
 * Returns what a user can choose from a list, in its order. Rows about the same pod or workload are one choice, with
 * the line of the first row.
 */
export function listChoices(list: BackoffList, { columns, hasNamespaces }: Look): ListChoice[] {
  const rows = [...ofContainers(list), ...ofNotReady(list), ...ofJobs(list)].map(({ namespace, name, cells }) => ({
    namespace,
    target: name.includes("/") ? name : `pod/${name}`,
    cells: [...(hasNamespaces ? [namespace] : []), name, ...cells].map(harmless),
  }));
  const widths = columnWidths(rows.map(({ cells }) => cells));
  const choices = rows.map(({ namespace, target, cells }) => ({
    namespace,
    target,
    line: clipped(
      cells
        .map((cell, index) => padded(cell, widths[index] ?? 0))
        .join("")
        .trimEnd(),
      columns,
    ),
  }));
  const firsts = Map.groupBy(choices, ({ namespace, target }) => `${namespace} ${target}`).values();
  return [...firsts].flatMap(([first]) => first ?? []);
}

interface Row {
  readonly namespace: string;
  readonly name: string;
  readonly cells: readonly string[];
}

function ofContainers(list: BackoffList): Row[] {
  return groupedRows(list).map(({ items, name }) => ({
    namespace: items[0].namespace,
    name,
    cells: [stateCell(items, list.atMs), nextCell(items, list.atMs), evidenceCell(items)],
  }));
}

function ofNotReady(list: BackoffList): Row[] {
  return notReadyRows(list, true).map((row) => ({
    namespace: row.notReady[0].namespace,
    name: row.name,
    cells: [NOT_READY, "-", notReadyCause(row.notReady)],
  }));
}

function ofJobs({ failedJobs = [] }: BackoffList): Row[] {
  return failedJobs.map(({ namespace, name, reason }) => ({
    namespace,
    name: `job/${name}`,
    cells: ["failed", "-", reason ?? ""],
  }));
}

function padded(cell: string, width: number): string {
  return cell + " ".repeat(width - displayWidth(cell) + GAP);
}
