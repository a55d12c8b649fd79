import type { Connection } from "../cluster/connect.ts";
import { type ListScope, observeList } from "../cluster/list-observe.ts";
import { toUserError } from "../cluster/request-failure.ts";
import type { Timers } from "../cluster/watch-timers.ts";
import { UserError } from "../errors.ts";
import { type ExplainOptions, explain } from "../explain/explain.ts";
import { type BackoffList, joined, listed, type SortKey, sorted } from "../explain/list.ts";
import type { ListLook } from "../render/list-table.ts";
import { type ListFrame, listKey, listNews, renderListJsonLine, renderLiveList } from "../render/live-list.ts";
import { Ending, printWhenRead } from "./watch-ending.ts";
import { INTERRUPTED } from "./watch-explain.ts";
import { ListSession } from "./watch-list-session.ts";
import { LiveScreen } from "./watch-screen.ts";

/** What to list again and again, and how to show it. */
export interface ListWatchRequest {
  readonly scope: ListScope;
  readonly kubelet: ExplainOptions;
  readonly sortKey: SortKey;
  readonly output: string;
  readonly look: ListLook;
}

/**
 * Lists again and again: in place on a terminal, with a countdown; else a row for each change, or a BackoffList on a line. The
 * exit code: 130 after ^C, 0 when nobody reads on.
 */
export async function watchList(connection: Connection, request: ListWatchRequest, timers: Timers): Promise<number> {
  const { output, sortKey } = request;
  if (output === "name") throw new UserError("notWithWatch", "-o name");
  const ending = new Ending();
  const session = new ListSession(async () => sorted(await readList(connection, request, timers), sortKey), timers);
  void ending.whenEnded.then(() => session.end());
  const show = await outputFor(request);
  let last: ListFrame | null = null;
  try {
    for await (const frame of session.frames()) {
      last = frame;
      await Promise.race([show(frame), ending.whenEnded]);
    }
    return ending.reason() === "interrupted" ? INTERRUPTED : 0;
  } catch (error) {
    throw toUserError(error, connection.server, connection.timeoutMs);
  } finally {
    if (last !== null) await Promise.race([show({ ...last, isLast: true }), ending.whenEnded]);
    ending.close();
    connection.close();
  }
}

async function readList(
  connection: Connection,
  { scope, kubelet }: ListWatchRequest,
  timers: Timers,
): Promise<BackoffList> {
  let list: BackoffList | null = null;
  for await (const part of observeList(connection, scope, timers.nowMs())) {
    const found = listed(part, explain(part, kubelet));
    list = list === null || part.startsOver ? found : joined(list, found);
  }
  if (list === null) throw new Error("A list has at least one page");
  return list;
}

type Show = (frame: ListFrame) => Promise<void>;

async function outputFor({ output, look }: ListWatchRequest): Promise<Show> {
  const { stdout, env } = process;
  if (output === "json") return inJsonLines();
  return stdout.isTTY && env["TERM"] !== "dumb" ? inPlace(await LiveScreen.on(stdout), look) : inRows(look);
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
  return async ({ list }) => {
    const news = listNews(shown, list, look);
    shown = list;
    if (news !== "") await printWhenRead(news);
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
