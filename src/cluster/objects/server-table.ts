import { at, objectsOf, textOf } from "./untrusted.ts";

/** The media type of the server's own table, as `kubectl get` shows it: without the objects about 100 bytes for each. */
export const TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io";
/** The same, or the objects themselves from a server that knows no tables. */
export const TABLE_OR_OBJECTS = `${TABLE},application/json`;

/** The cells of a table's rows in these columns; null if it is none, or lacks a column. Whatever it is given, it does not throw. */
export function cellsOf(body: unknown, columns: readonly string[]): readonly (readonly string[])[] | null {
  if (at(body, "kind") !== "Table") return null;
  const names = objectsOf(at(body, "columnDefinitions")).map((column) => at(column, "name"));
  const indices = columns.map((column) => names.indexOf(column));
  if (indices.includes(-1)) return null;
  return objectsOf(at(body, "rows")).map((row) => {
    const cells = at(row, "cells");
    return indices.map((index) => (Array.isArray(cells) ? cellText(cells[index]) : ""));
  });
}

/** Restarts were a number up to v1.21. */
function cellText(cell: unknown): string {
  return typeof cell === "number" ? String(cell) : (textOf(cell) ?? "");
}
