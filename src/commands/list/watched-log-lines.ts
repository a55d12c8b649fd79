import type { Connection } from "../../cluster/connection/connection.ts";
import { CrashLogs } from "../../cluster/list/list-logs.ts";
import type { BackoffList, ListItem } from "../../explain/answer/backoff-list.ts";
import { itemKey } from "../../render/watch/live-list.ts";
import { withLogLines } from "./list-log-lines.ts";

/** The lines of the logs of a watched list, each read once after a crash. */
export class WatchedLogLines {
  readonly #connection: Connection;
  readonly #tail: number;
  /** By container, with the number of the run that the line is about. */
  #lines = new Map<string, { readonly run: number; readonly lastLogLine: string | null }>();
  /** The logs that the user may not read. */
  #gaps: BackoffList["gaps"] = [];

  constructor(connection: Connection, tail: number) {
    this.#connection = connection;
    this.#tail = tail;
  }

  /** Reads the logs of containers that have crashed since the last time: as many as a list does. */
  async read(list: BackoffList): Promise<void> {
    const fresh = list.items.filter((item) => this.#lines.get(itemKey(item))?.run !== lastEndedRun(item));
    if (this.#tail === 0 || fresh.length === 0) return;
    const wanted = { ...list, items: fresh, gaps: [] };
    const { items, gaps } = await withLogLines(wanted, new CrashLogs(this.#connection, this.#tail));
    if (gaps.length > 0) this.#gaps = gaps;
    const present = new Set(list.items.map(itemKey));
    this.#lines = new Map([...this.#lines].filter(([key]) => present.has(key)));
    for (const item of items)
      this.#lines.set(itemKey(item), { run: lastEndedRun(item), lastLogLine: item.lastLogLine });
  }

  /**
   * Adds the lines to the list, and the gaps of logs that could not be read. Until the log of the newest crash is read,
   * the line of the crash before stands for it.
   */
  addedTo(list: BackoffList): BackoffList {
    const lineOf = (item: ListItem): string | null => this.#lines.get(itemKey(item))?.lastLogLine ?? item.lastLogLine;
    const items = list.items.map((item) => ({ ...item, lastLogLine: lineOf(item) }));
    return { ...list, items, gaps: [...list.gaps, ...this.#gaps] };
  }
}

/** Returns the number of the run that ended last, the first being 0. The restartCount is the number of the newest run. */
function lastEndedRun({ state, restartCount }: ListItem): number {
  return state === "running" ? restartCount - 1 : restartCount;
}
