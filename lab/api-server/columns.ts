import type { Raw } from "./container-statuses.ts";

/** One of a table's `columnDefinitions`. */
export function column(name: string, description: string, { format = "", priority = 0 } = {}): Raw {
  return { name, type: "string", format, description, priority };
}
