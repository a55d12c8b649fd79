import type { V1Job } from "@kubernetes/client-node";
import { formatElapsed } from "../../src/render/page/durations.ts";
import type { Raw } from "./container-statuses.ts";
import { column, NAME_COLUMN } from "./node-columns.ts";

export const JOB_COLUMNS: readonly Raw[] = [
  NAME_COLUMN,
  ...["Status", "Completions", "Duration", "Age"].map((name) => column(name)),
];

/** See `printJob` (kubernetes v1.37.1, pkg/printers/internalversion/printers.go). */
export function jobCells(raw: Raw, nowMs: number): string[] {
  const { metadata, spec, status } = raw as V1Job;
  const has = (type: string): boolean =>
    status?.conditions?.some((condition) => condition.type === type && condition.status === "True") === true;
  const word = has("Complete") ? "Complete" : has("Failed") ? "Failed" : "Running";
  const age = formatElapsed(nowMs - Date.parse(String(metadata?.creationTimestamp)));
  return [metadata?.name ?? "", word, `${status?.succeeded ?? 0}/${spec?.completions ?? 1}`, "", age];
}
