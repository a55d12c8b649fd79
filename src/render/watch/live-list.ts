import type { BackoffList, ListItem } from "../../explain/list.ts";
import { renderListJson } from "../json/json.ts";
import { type ListLook, noneListed, renderListTable } from "../list/list-table.ts";
import { harmless } from "../page/harmless.ts";
import { timesAround } from "../page/times.ts";
import { displayWidth, wrap } from "../page/width.ts";
import { lostSentence, watchSentence } from "./live.ts";

/** What a watched list shows at one moment, which is the list's own. */
export interface ListFrame {
  readonly list: BackoffList;
  /** Since when the list could not be read anew, and why; null while all is well. */
  readonly trouble: { readonly sinceMs: number; readonly because: string } | null;
  /** The reader has seen enough. */
  readonly isLast: boolean;
}

/** The screen of a watched list: the table, cut to the terminal's height, and how the watch fares. */
export function renderLiveList(frame: ListFrame, look: ListLook & { readonly rows: number }): string {
  const { list, trouble, isLast } = frame;
  const columns = look.columns ?? Number.POSITIVE_INFINITY;
  const times = timesAround(list.atMs);
  const lost = trouble === null ? "" : ` ${lostSentence(trouble, times)}`;
  const footer = wrap(`${watchSentence(list.atMs, isLast, times)}${lost}`, columns);
  const table = wrapped(renderListTable(list, look) || `${noneListed(look.isDownOnly)}.`, columns);
  const space = Math.max(2, look.rows - 2 - footer.length);
  const shown =
    table.length <= space ? table : [...table.slice(0, space - 1), `… and ${table.length - space + 1} more lines`];
  return `${[...shown, "", ...footer].join("\n")}\n`;
}

/** Only what has to be broken is: the table keeps to the width by itself. */
function wrapped(text: string, columns: number): string[] {
  return text
    .trimEnd()
    .split("\n")
    .flatMap((line) => (displayWidth(line) <= columns ? [line] : wrap(line, columns)));
}

/** The same in lines: the rows of containers that are new or whose state has changed, and those that are listed no longer. */
export function listNews(before: BackoffList | null, list: BackoffList, look: ListLook): string {
  const known = new Map((before?.items ?? []).map((item) => [keyOf(item), stateOf(item)]));
  const changed = list.items.filter((item) => known.get(keyOf(item)) !== stateOf(item));
  const present = new Set(list.items.map(keyOf));
  const gone = (before?.items ?? []).filter((item) => !present.has(keyOf(item)));
  const rows = renderListTable(
    { ...list, items: changed },
    { ...look, isGrouped: false, hasHeaders: look.hasHeaders && known.size === 0 },
  );
  const table = rows.split("\n\n", 1)[0]?.trimEnd() ?? "";
  const ups = gone.map(({ namespace, pod, container, state }) => {
    return harmless(
      `${namespace}/${pod} ${container} ${state === "running" ? "no longer crash-loops" : "is no longer down"}.`,
    );
  });
  const lines = [...(table === "" ? [] : [table]), ...ups];
  return lines.map((line) => `${line}\n`).join("");
}

export function renderListJsonLine(list: BackoffList): string {
  return `${renderListJson(list, false).replaceAll(/\n */g, "")}\n`;
}

/** The same text for lists that differ in the passing of time only. */
export function listKey({ items }: BackoffList): string {
  return JSON.stringify(items.map((item) => [keyOf(item), stateOf(item)]).sort());
}

function keyOf({ namespace, pod, container }: ListItem): string {
  return `${namespace}/${pod}/${container}`;
}

function stateOf({ state, restartCount, delayMs, cause, overdue }: ListItem): string {
  return `${state} ${restartCount} ${delayMs} ${cause} ${overdue !== null}`;
}
