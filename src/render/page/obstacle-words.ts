import type { Obstacle } from "../../explain/answer/explanation.ts";
import { formatElapsed } from "./durations.ts";
import type { Page } from "./page.ts";

/** A failure that was last reported longer ago than this may be over. */
const RECENT_MS = 600_000;

/** What keeps a container from being started: ': configmap "absent" not found (FailedMount, 12 times in 25m)'; empty without. */
export function obstacleWords(obstacle: Obstacle | null | undefined, { nowMs }: Page): string {
  if (obstacle === null || obstacle === undefined) return "";
  const { kind, reason, cause, repeated } = obstacle;
  const said = cause === "" ? "" : `: ${cause}`;
  if (kind === "node") return said;
  return `${said} (${[reason, ...(repeated === undefined ? [] : repetition(repeated, nowMs))].join(", ")})`;
}

function repetition({ count, firstAtMs, lastAtMs }: NonNullable<Obstacle["repeated"]>, nowMs: number): string[] {
  const span = firstAtMs === null || lastAtMs === null ? "" : ` in ${formatElapsed(lastAtMs - firstAtMs)}`;
  const isOld = lastAtMs !== null && nowMs - lastAtMs > RECENT_MS;
  return [
    ...(count > 1 ? [`${count} times${span}`] : []),
    ...(isOld ? [`last ${formatElapsed(nowMs - lastAtMs)} ago`] : []),
  ];
}
