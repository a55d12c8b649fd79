const CLEAR_LINE = "\r\u001b[K";
/** In a function: whoever loads this module without a list to show shall not wait for Intl. */
const formatted = (count: number): string => count.toLocaleString("en-US");

/** Where a line of progress is shown: on a terminal, and nowhere else. */
export interface ProgressTarget {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/** How far a list is, in one line that is gone in the end. */
export interface ListProgress {
  show(seen: number, found: number): void;
  clear(): void;
}

/** Shows nothing before the first page has come. */
export function listProgress(target: ProgressTarget): ListProgress {
  const write = (text: string): void => {
    if (target.isTTY) target.write(text);
  };
  return {
    show: (seen, found) => write(`${CLEAR_LINE}${formatted(seen)} pods read, ${formatted(found)} containers down`),
    clear: () => write(CLEAR_LINE),
  };
}
