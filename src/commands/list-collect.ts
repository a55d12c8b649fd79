import type { ListedObservation } from "../cluster/list-observe.ts";
import { UserError } from "../errors.ts";
import { type ExplainOptions, explain } from "../explain/explain.ts";
import { type BackoffList, joined, listed } from "../explain/list.ts";
import { ProgressLine } from "./progress-line.ts";

/** What a list came to. */
export interface Collected {
  readonly list: BackoffList;
  /** Why it is not all; null if it is. */
  readonly failure: UserError | null;
}

/** Explains part by part, and keeps only what is down. What fails before anything is known is thrown on. */
export async function collect(parts: AsyncIterable<ListedObservation>, options: ExplainOptions): Promise<Collected> {
  const progress = new ProgressLine(process.stderr);
  let list: BackoffList | null = null;
  try {
    for await (const part of parts) {
      const found = listed(part, explain(part, options));
      list = list === null || part.startsOver ? found : joined(list, found);
      // Intl, which formats numbers, takes a moment to load.
      if (process.stderr.isTTY) progress.show(progressOf(part.seen, list.items.length));
    }
  } catch (error) {
    if (list === null || !(error instanceof UserError)) throw error;
    return { list, failure: error };
  } finally {
    progress.clear();
  }
  if (list === null) throw new Error("A list has at least one page");
  return { list, failure: null };
}

function progressOf(seen: number, found: number): string {
  return `${formatted(seen)} pods read, ${formatted(found)} containers down`;
}

function formatted(count: number): string {
  return count.toLocaleString("en-US");
}
