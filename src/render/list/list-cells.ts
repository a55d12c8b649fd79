import { isDownInList, type ListItem } from "../../explain/answer/backoff-list.ts";
import { greatestOf, leastOf } from "../../explain/observed/max-min.ts";
import type { OwnerReference } from "../../explain/observed/observation.ts";
import { windowOfAll } from "../../explain/triage.ts";
import { formatBriefDuration } from "../../kubelet/go-duration.ts";
import { stateWords } from "../page/container-words.ts";
import { formatElapsed, isAhead, windowCell } from "../page/durations.ts";
import { counted } from "../page/paint.ts";
import { localTime, zoneOffsetMs } from "../page/times.ts";
import { causeCell, LOG_LEFT_OUT, UNKNOWN, withLine } from "./list-causes.ts";
import { type ListRow, phaseOf } from "./list-rows.ts";

export function stateCell({ items }: ListRow, nowMs: number): string {
  const [first, ...others] = items.filter(isDownInList);
  if (first !== undefined) return others.every(({ state }) => state === first.state) ? stateOfItem(first) : "down";
  const agesMs = items.flatMap(({ startedAtMs }) => (startedAtMs === null ? [] : [nowMs - startedAtMs]));
  const ages = agesMs.length === 0 || agesMs.some(isAhead) ? "" : ` ${rangeOf(agesMs, formatElapsed)}`;
  return `running${ages}`;
}

function stateOfItem({ state, cause }: ListItem): string {
  return stateWords(state, state !== "starting" || (cause !== "start-failure" && cause !== "image-pull"));
}

export function readyCell({ readiness }: Pick<ListRow, "readiness">): string {
  return readiness === null ? "-" : `${readiness.ready}/${readiness.all}`;
}

export function restartsCell({ items }: ListRow): string {
  const counts = items.map(({ restartCount }) => restartCount);
  return rangeOf(counts, String);
}

export function delayCell({ items }: ListRow): string {
  const delaysMs = items.flatMap(({ delayMs }) => delayMs ?? []);
  if (items[0].cause === "start-failure") return "-";
  return delaysMs.length === 0 ? UNKNOWN : rangeOf(delaysMs, formatBriefDuration);
}

export function nextCell({ items }: ListRow, nowMs: number): string {
  const phase = phaseOf(items[0]);
  if (phase === "overdue")
    return `overdue ${formatElapsed(nowMs - leastOf(items.flatMap(({ overdue }) => overdue?.expectedByMs ?? [])))}`;
  if (phase !== "looping") return phase;
  const windows = items.flatMap(({ nextRestart }) => nextRestart ?? []);
  if (windows.length === 0) return "-";
  const isByDefaults = items.some((item) => item.isByDefaults);
  const window = windowCell(windowOfAll(windows), nowMs);
  return `${isByDefaults ? BY_DEFAULTS : ""}${window}${items.length === 1 ? "" : ` (${counted(windows.length, "pod")})`}`;
}

export const BY_DEFAULTS = "~";

/** Shortens e.g. "(3 pods)" to "(3)", and "exit 1: no such host" to "no such host". */
export function briefCell(cell: string): string {
  return cell === UNKNOWN
    ? "?"
    : cell.replace(/^(exit [1-9]\d*|[A-Z][A-Za-z]+|\w+ probe failed): /, "").replace(/ \((\d+) pods?\)$/, " ($1)");
}

export function sinceCell({ items }: ListRow, nowMs: number, timeZone: string | undefined): string {
  const [first] = items.flatMap(({ failingSince }) => failingSince ?? []).toSorted((a, b) => a.atMs - b.atMs);
  if (first === undefined) return UNKNOWN;
  return first.isUpperBound === true
    ? `over ${formatElapsed(nowMs - first.atMs)}`
    : clockOrDay(first.atMs, nowMs, timeZone);
}

export function clockOrDay(sinceMs: number, nowMs: number, timeZone: string | undefined): string {
  const [since, now] = [sinceMs, nowMs].map((atMs) => localTime(atMs, zoneOffsetMs(timeZone, atMs)));
  if (since === undefined || now === undefined) return UNKNOWN;
  const isSameDay = since.day === now.day && since.year === now.year;
  if (isSameDay || nowMs - sinceMs < HALF_A_DAY_MS) return since.clock.slice(0, "14:02".length);
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

export function evidenceCell({ items }: ListRow): string {
  const cause = causeCell(items[0]);
  const lines = items.map(({ lastLogLine, message }) => message ?? lastLogLine);
  const line = lines.find((one) => one !== null) ?? null;
  if (line === null && items.some(({ isLogLeftOut }) => isLogLeftOut === true)) return `${cause} (${LOG_LEFT_OUT})`;
  return withLine(cause, line);
}
