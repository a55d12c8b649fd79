import type { BackoffList } from "../../explain/answer/backoff-list.ts";
import { columnWidths } from "../page/columns.ts";
import { clipped } from "../page/width.ts";
import { type AnyRow, CAUSE, cellOf, NAME, NAMESPACE, NEXT, STATE } from "./list-columns.ts";
import { lineOf } from "./list-layout.ts";
import { containerRows, notReadyRows } from "./list-rows.ts";

export interface ListChoice {
  readonly namespace: string;
  /** For `kubectl backoff explain`, e.g. "pod/web-0" or "deploy/web". */
  readonly target: string;
  readonly line: string;
}

interface Look {
  readonly columns: number;
  readonly hasNamespaces: boolean;
}

const GAP = 2;

export function listChoices(list: BackoffList, { columns, hasNamespaces }: Look): ListChoice[] {
  const rows: AnyRow[] = [...containerRows(list, true), ...notReadyRows(list, true), ...(list.failedJobs ?? [])];
  const shown = [NAMESPACE, NAME, STATE, NEXT, CAUSE];
  const all = rows.map((row) => shown.map((column) => cellOf(column, row, list.atMs)));
  const widths = columnWidths(all);
  const choices = all.map((cells): ListChoice => {
    const [namespace = "", name = ""] = cells;
    const from = hasNamespaces ? 0 : 1;
    const line = lineOf(cells.slice(from), widths.slice(from), GAP);
    return { namespace, target: name.includes("/") ? name : `pod/${name}`, line: clipped(line, columns) };
  });
  const firsts = Map.groupBy(choices, ({ namespace, target }) => `${namespace} ${target}`).values();
  return [...firsts].flatMap(([first]) => first ?? []);
}
