import type { ListItem } from "../../explain/answer/backoff-list.ts";
import { greatestOf, leastOf } from "../../explain/observed/max-min.ts";
import type { OwnerReference } from "../../explain/observed/observation.ts";
import { formatBriefDuration } from "../../kubelet/go-duration.ts";
import { formatElapsed, isAhead, windowCell } from "../page/durations.ts";
import { counted } from "../page/paint.ts";
import { localTime, zoneOffsetMs } from "../page/times.ts";
import { stateWords } from "../page/trouble.ts";
import { causeCell, LOG_LEFT_OUT, UNKNOWN, withLine } from "./list-causes.ts";
import { type ListRow, phaseOf } from "./list-rows.ts";

/**
 * Returns the containers' state, e.g. "backing off" or "running 42s". If some are up and some are down, only those that
 * are down count; "down" if their states differ.
 */
export function stateCell({ items }: ListRow, nowMs: number): string {
  const [first, ...others] = items.filter(({ state }) => state !== "running");
  if (first !== undefined) return others.every(({ state }) => state === first.state) ? stateOfItem(first) : "down";
  const agesMs = items.flatMap(({ startedAtMs }) => (startedAtMs === null ? [] : [nowMs - startedAtMs]));
  const ages = agesMs.length === 0 || agesMs.some(isAhead) ? "" : ` ${rangeOf(agesMs, formatElapsed)}`;
  return `running${ages}`;
}

function stateOfItem({ state, cause }: ListItem): string {
  return stateWords(state, state !== "starting" || (cause !== "start-failure" && cause !== "image-pull"));
}

/** Returns "1/3" if one of three pods (of a workload) or containers (of a pod) is ready; "-" if that is unknown. */
export function readyCell({ readiness }: Pick<ListRow, "readiness">): string {
  return readiness === null ? "-" : `${readiness.ready}/${readiness.all}`;
}

export function restartsCell({ items }: ListRow): string {
  const counts = items.map(({ restartCount }) => restartCount);
  return rangeOf(counts, String);
}

export function delayCell({ items }: ListRow): string {
  const delaysMs = items.flatMap(({ delayMs }) => delayMs ?? []);
  // A step that fails before a start has no back-off of its own.
  if (items[0].cause === "start-failure") return "-";
  return delaysMs.length === 0 ? UNKNOWN : rangeOf(delaysMs, formatBriefDuration);
}

/**
 * Returns when the containers restart: "1m27s-1m57s", "within 28s", "now", "overdue 5m", "unknown", "node not ready";
 * "-" if they are running. Of several pods, from the first to the last: "20s-2m (3 pods)". {@link BY_DEFAULTS} may come
 * first.
 */
export function nextCell({ items }: ListRow, nowMs: number): string {
  const phase = phaseOf(items[0]);
  if (phase === "overdue")
    return `overdue ${formatElapsed(nowMs - leastOf(items.flatMap(({ overdue }) => overdue?.expectedByMs ?? [])))}`;
  if (phase !== "looping") return phase;
  const windows = items.flatMap(({ nextRestart }) => nextRestart ?? []);
  if (windows.length === 0) return "-";
  const notBeforeMs = leastOf(windows.map((window) => window.notBeforeMs));
  const likelyByMs = greatestOf(windows.map((window) => window.likelyByMs));
  const isByDefaults = items.some((item) => item.isByDefaults);
  const window = windowCell({ notBeforeMs, likelyByMs }, nowMs);
  return `${isByDefaults ? BY_DEFAULTS : ""}${window}${items.length === 1 ? "" : ` (${counted(windows.length, "pod")})`}`;
}

/** Marks a window that assumes the kubelet's defaults, because its configuration was not read. */
export const BY_DEFAULTS = "~";

/**
 * Returns a cell for a narrow terminal: "?" for "unknown", "(3)" for "(3 pods)", and a log line or message without
 * "exit 1:", the reason or "readiness probe failed:" before it, which explain less.
 */
export function briefCell(cell: string): string {
  return cell === UNKNOWN
    ? "?"
    : cell.replace(/^(exit [1-9]\d*|[A-Z][A-Za-z]+|\w+ probe failed): /, "").replace(/ \((\d+) pods\)$/, " ($1)");
}

/**
 * Returns since when the containers have been failing, the earliest of them: "14:02", "Nov 20", "Nov 2025", "over 24m"
 * if only the latest possible instant is known, or "unknown".
 */
export function sinceCell({ items }: ListRow, nowMs: number, timeZone: string | undefined): string {
  const [first] = items.flatMap(({ failingSince }) => failingSince ?? []).toSorted((a, b) => a.atMs - b.atMs);
  if (first === undefined) return UNKNOWN;
  return first.isLatest === true
    ? `over ${formatElapsed(nowMs - first.atMs)}`
    : clockOrDay(first.atMs, nowMs, timeZone);
}

/**
 * Returns the clock time of an instant on the same day or less than 12 hours ago, otherwise its day ("Nov 20") or, in
 * another year, its month ("Nov 2025").
 */
export function clockOrDay(sinceMs: number, nowMs: number, timeZone: string | undefined): string {
  const [since, now] = [sinceMs, nowMs].map((atMs) => localTime(atMs, zoneOffsetMs(timeZone, atMs)));
  if (since === undefined || now === undefined) return UNKNOWN;
  if (since.day === now.day && since.year === now.year) return since.clock.slice(0, "14:02".length);
  if (nowMs - sinceMs < HALF_A_DAY_MS) return since.clock.slice(0, "14:02".length);
  return since.year === now.year ? since.day : `${since.day.slice(0, "Nov".length)} ${since.year}`;
}

const HALF_A_DAY_MS = 43_200_000;

export function ageCell(createdAtMs: number | null, nowMs: number): string {
  if (createdAtMs === null) return UNKNOWN;
  return isAhead(nowMs - createdAtMs) ? "in the future (clocks differ)" : formatElapsed(nowMs - createdAtMs);
}

export function ownerCell(owner: OwnerReference | null): string {
  return owner === null ? "<none>" : `${owner.kind}/${owner.name}`;
}

export function rangeOf(values: readonly number[], format: (value: number) => string): string {
  const [from, to] = [format(leastOf(values)), format(greatestOf(values))];
  return from === to ? from : `${from}-${to}`;
}

/**
 * Returns the cause, and the first message or log line of the containers: "exit 1: panic: no such host", "image pull:
 * not found"; "exit 1 (log not read)" if the list left out the log.
 */
export function evidenceCell({ items }: ListRow): string {
  const cause = causeCell(items[0]);
  const lines = items.map(({ lastLogLine, message }) => message ?? lastLogLine);
  const line = lines.find((one) => one !== null) ?? null;
  if (line === null && items.some(({ isLogLeftOut }) => isLogLeftOut === true)) return `${cause} (${LOG_LEFT_OUT})`;
  return withLine(cause, line);
}
