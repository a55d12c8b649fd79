import type { Connection } from "../../cluster/connection/connection.ts";
import { toUserError } from "../../cluster/connection/request-failure.ts";
import type { Timers } from "../../cluster/connection/timers.ts";
import type { ListScope } from "../../cluster/list/list-pages.ts";
import { UserError } from "../../errors.ts";
import type { ExplainOptions } from "../../explain/explain.ts";
import { type BackoffList, type SortKey, sorted, withoutRunning } from "../../explain/list.ts";
import type { ListLook } from "../../render/list/list-table.ts";
import { type ListFrame, listKey, listNews, renderListJsonLine, renderLiveList } from "../../render/watch/live-list.ts";
import type { Trace } from "../debug/debug-trace.ts";
import { forTerminal } from "../terminal/standard-output.ts";
import { Ending, INTERRUPTED, printWhenRead } from "../watch/watch-ending.ts";
import { LiveScreen } from "../watch/watch-screen.ts";
import { TroubleNotes } from "../watch/watch-trouble.ts";
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
  const { output, scope, kubelet, sortKey, look, trace } = request;
  if (output === "name" || output === "yaml") throw new UserError("notWithWatch", `-o ${output}`);
  const show = await outputFor(request);
  const ending = new Ending();
  const session = new ListSession(connection, scope, kubelet, timers, undefined, trace);
  void ending.whenEnded.then(() => session.end());
  let last: ListFrame | null = null;
  try {
    for await (const frame of session.frames()) {
      last = { ...frame, list: sorted(look.isDownOnly ? withoutRunning(frame.list) : frame.list, sortKey) };
      await Promise.race([show(last), ending.whenEnded]);
    }
    return ending.reason() === "interrupted" ? INTERRUPTED : 0;
  } catch (error) {
    throw toUserError(error, connection);
  } finally {
    if (last !== null) await Promise.race([show({ ...last, isLast: true }), ending.whenEnded]);
    ending.close();
    connection.close();
  }
}

type Show = (frame: ListFrame) => Promise<void>;

async function outputFor({ output, look, note }: ListWatchRequest): Promise<Show> {
  const { stdout, env } = process;
  if (output === "json") return withTroubleNotes(inJsonLines(), note);
  if (stdout.isTTY && env["TERM"] !== "dumb") return inPlace(await LiveScreen.on(stdout), look);
  return withTroubleNotes(inRows(look), note);
}

function withTroubleNotes(show: Show, note: (sentence: string) => void): Show {
  const notes = new TroubleNotes("the pods", note);
  return (frame) => {
    notes.take(frame.trouble);
    return show(frame);
  };
}

function inPlace(screen: LiveScreen, look: ListLook): Show {
  return async (frame) => {
    const render = (size: { columns: number; rows: number }): string => renderLiveList(frame, { ...look, ...size });
    if (frame.isLast) screen.close(render);
    else screen.draw(render);
  };
}

function inRows(look: ListLook): Show {
  let shown: BackoffList | null = null;
  let hasHeaders = look.hasHeaders;
  return async ({ list }) => {
    const news = listNews(shown, list, { ...look, hasHeaders });
    shown = list;
    if (list.items.length > 0) hasHeaders = false;
    if (news !== "") await printWhenRead(forTerminal(news));
  };
}

function inJsonLines(): Show {
  let shown: string | null = null;
  return async ({ list }) => {
    const key = listKey(list);
    if (key === shown) return;
    shown = key;
    await printWhenRead(renderListJsonLine(list));
  };
}
