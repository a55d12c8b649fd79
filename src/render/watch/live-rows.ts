import { displayWidth } from "../page/width.ts";

/** The rows that a text takes on a terminal that has become so wide: narrower ones break the lines that are there already. */
export function rowsOn(text: string, columns: number): number {
  const lines = text.replace(/\n$/, "").split("\n");
  return lines.reduce((rows, line) => rows + Math.max(1, Math.ceil(displayWidth(line) / Math.max(1, columns))), 0);
}
