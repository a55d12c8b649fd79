import type { Connection } from "../../cluster/connection/connection.ts";
import type { Timers } from "../../cluster/connection/timers.ts";
import type { ListScope } from "../../cluster/list/list-pages.ts";
import { UserError } from "../../errors.ts";
import type { ExplainOptions } from "../../explain/explain.ts";
import { type BackoffList, type SortKey, sorted, withoutRunning } from "../../explain/list.ts";
import type { ListLook } from "../../render/list/list-table.ts";
import { type ListFrame, listKey, listNews, renderListJsonLine, renderLiveList } from "../../render/watch/live-list.ts";
import type { Trace } from "../debug/debug-trace.ts";
import { showFrames, showIn, TroubleNotes } from "../watch/watch-output.ts";
import { ListSession } from "./watch-list-session.ts";

/** What to list and go on listing, and how to show it. */
interface ListWatchRequest {
  readonly scope: ListScope;
  readonly kubelet: ExplainOptions;
  readonly sortKey: SortKey;
  readonly output: string;
  readonly look: ListLook;
  readonly note: (sentence: string) => void;
  readonly trace: Trace;
}

/**
 * Lists and watches: in place on a terminal, with a countdown; else a row for each change, or a BackoffList on a line. The
 * exit code: 130 after ^C, 0 when nobody reads on.
 */
export async function watchList(connection: Connection, request: ListWatchRequest, timers: Timers): Promise<number> {
  const { output, scope, kubelet, sortKey, look, trace, note } = request;
  if (output === "name" || output === "yaml") throw new UserError("notWithWatch", `-o ${output}`);
  const show = await showIn<ListFrame>(output, {
    screen: (frame, size, isLast) => renderLiveList({ ...frame, isLast }, { ...look, ...size }),
    lines: rowsOf(look),
    json: jsonLines(),
    troubleOf: ({ trouble }) => trouble,
    notes: new TroubleNotes("the pods", note),
  });
  const session = new ListSession(connection, scope, kubelet, timers, undefined, trace);
  const inOrder = (list: BackoffList): BackoffList => sorted(look.isDownOnly ? withoutRunning(list) : list, sortKey);
  return showFrames(connection, session, (frame, isLast) => show({ ...frame, list: inOrder(frame.list) }, isLast));
}

function rowsOf(look: ListLook): (frame: ListFrame) => string {
  let shown: BackoffList | null = null;
  let hasHeaders = look.hasHeaders;
  return ({ list }) => {
    const news = listNews(shown, list, { ...look, hasHeaders });
    shown = list;
    if (list.items.length > 0) hasHeaders = false;
    return news;
  };
}

function jsonLines(): (frame: ListFrame) => string {
  let shown: string | null = null;
  return ({ list }) => {
    const key = listKey(list);
    if (key === shown) return "";
    shown = key;
    return renderListJsonLine(list);
  };
}
