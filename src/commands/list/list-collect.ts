import type { ListedObservation } from "../../cluster/list/list-observe.ts";
import { UserError } from "../../errors.ts";
import { type ExplainOptions, explain } from "../../explain/explain.ts";
import { type BackoffList, joined, listed } from "../../explain/list.ts";
import { ProgressLine } from "../terminal/progress-bar.ts";

/** What a list came to. */
export interface Collected {
  readonly list: BackoffList;
  /** Why it is not all; null if it is. */
  readonly failure: UserError | null;
}

/** Explains part by part, and keeps only what is down. What fails before anything is known is thrown on. */
export async function collect(parts: AsyncIterable<ListedObservation>, options: ExplainOptions): Promise<Collected> {
  const progress = new ProgressLine(process.stderr);
  let found: BackoffList[] = [];
  let failure: UserError | null = null;
  try {
    for await (const part of parts) {
      const down = listed(part, explain(part, options));
      if (part.startsOver) found = [];
      found.push(down);
      // Intl, which formats numbers, takes a moment to load.
      if (process.stderr.isTTY) progress.show(progressOf(part.seen, itemsIn(found)));
    }
  } catch (error) {
    if (found.length === 0 || !(error instanceof UserError)) throw error;
    failure = error;
  } finally {
    progress.clear();
  }
  const [first] = found;
  if (first === undefined) throw new Error("A list has at least one page");
  return { list: joined(first.atMs, found), failure };
}

function itemsIn(parts: readonly BackoffList[]): number {
  return parts.reduce((sum, { items }) => sum + items.length, 0);
}

function progressOf(seen: number, found: number): string {
  return `${formatted(seen)} pods read, ${formatted(found)} containers down`;
}

function formatted(count: number): string {
  return count.toLocaleString("en-US");
}
