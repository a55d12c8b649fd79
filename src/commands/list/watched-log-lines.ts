import type { Connection } from "../../cluster/connection/connection.ts";
import { CrashLogs } from "../../cluster/list/list-logs.ts";
import type { BackoffList, ListItem } from "../../explain/answer/backoff-list.ts";
import { itemKey } from "../../render/watch/live-list.ts";
import { withLogLines } from "./list-log-lines.ts";

/** Avoids reading a container's log again before the next crash. */
export class WatchedLogLines {
  readonly #connection: Connection;
  readonly #tail: number;
  #lines = new Map<string, { readonly run: number; readonly lastLogLine: string | null }>();
  #gapsOfForbiddenLogs: BackoffList["gaps"] = [];

  constructor(connection: Connection, tail: number) {
    this.#connection = connection;
    this.#tail = tail;
  }

  async read(list: BackoffList): Promise<void> {
    const fresh = list.items.filter((item) => this.#lines.get(itemKey(item))?.run !== lastEndedRun(item));
    if (this.#tail === 0 || fresh.length === 0) return;
    const wanted = { ...list, items: fresh, gaps: [] };
    const { items, gaps } = await withLogLines(wanted, new CrashLogs(this.#connection, this.#tail));
    if (gaps.length > 0) this.#gapsOfForbiddenLogs = gaps;
    const present = new Set(list.items.map(itemKey));
    this.#lines = new Map([...this.#lines].filter(([key]) => present.has(key)));
    for (const item of items)
      this.#lines.set(itemKey(item), { run: lastEndedRun(item), lastLogLine: item.lastLogLine });
  }

  /** The `lastLogLine` of an item can be from an earlier crash, until the log of the newest crash is read. */
  addedTo(list: BackoffList): BackoffList {
    const lineOf = (item: ListItem): string | null => this.#lines.get(itemKey(item))?.lastLogLine ?? item.lastLogLine;
    const items = list.items.map((item) => ({ ...item, lastLogLine: lineOf(item) }));
    return { ...list, items, gaps: [...list.gaps, ...this.#gapsOfForbiddenLogs] };
  }
}

/** Counts the runs from 0, as restartCount does. */
function lastEndedRun({ state, restartCount }: ListItem): number {
  return state === "running" ? restartCount - 1 : restartCount;
}
