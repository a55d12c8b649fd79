import { at, objectsOf, textOf } from "./json-access.ts";

/** The media type of the table that `kubectl get` prints. */
export const TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io";
export const TABLE_OR_OBJECTS = `${TABLE},application/json`;

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

/** API servers of v1.21 and older send the restarts of a pod as a number. */
function cellText(cell: unknown): string {
  return typeof cell === "number" ? String(cell) : (textOf(cell) ?? "");
}
