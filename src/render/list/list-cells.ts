import { SIGNALS } from "../../explain/answer/excerpt.ts";
import type { ListItem } from "../../explain/list.ts";
import { greatestOf, leastOf } from "../../explain/observed/extremes.ts";
import { formatBriefDuration } from "../../kubelet/go-duration.ts";
import { formatElapsed, isAhead, wholeSecondsAhead } from "../page/durations.ts";
import { localTime, zoneOffsetMs } from "../page/times.ts";

/** The containers of one row, at least one: all are up or down, and the next restart of all is known, unknown or overdue. */
export type Alike = readonly [ListItem, ...ListItem[]];

/** What containers have in common that one cell does for. */
export function kindOfNext({ state, isReady, nextRestart, overdue, isNodeReady }: ListItem) {
  if (state === "running") return isReady === false ? "running, not ready" : "running";
  if (overdue !== null) return "overdue";
  if (nextRestart !== null) return "expected";
  return isNodeReady === false ? "node not ready" : "unknown";
}

export const UNKNOWN = "unknown";

/** "backing-off", or "down" of several that differ; of what is up since when, and whether it is ready: "running 42s, not ready". */
export function stateCell(items: Alike, nowMs: number): string {
  const [{ state }] = items;
  if (state !== "running") return items.every((item) => item.state === state) ? state : "down";
  const agesMs = items.flatMap(({ startedAtMs }) => (startedAtMs === null ? [] : [nowMs - startedAtMs]));
  const ages = agesMs.length === 0 || agesMs.some(isAhead) ? "" : ` ${rangeOf(agesMs, formatElapsed)}`;
  return kindOfNext(items[0]).replace(state, `${state}${ages}`);
}

/** "5", "3-7" */
export function restartsCell(items: Alike): string {
  return rangeOf(
    items.map(({ restartCount }) => restartCount),
    (count) => `${count}`,
  );
}

/** "2m40s", "10s-5m" */
export function delayCell(items: Alike): string {
  const delaysMs = items.flatMap(({ delayMs }) => delayMs ?? []);
  return delaysMs.length === 0 ? UNKNOWN : rangeOf(delaysMs, formatBriefDuration);
}

/**
 * How far away the next restart is, of several from the first to the last: "1m27s-1m57s", "20s", "within 28s" if it may come at
 * any time until then, "now"; "overdue 5m".
 */
export function nextCell(items: Alike, nowMs: number): string {
  const kind = kindOfNext(items[0]);
  if (items[0].state === "running") return "-";
  if (kind === "overdue")
    return `overdue ${formatElapsed(nowMs - leastOf(items.flatMap(({ overdue }) => overdue?.expectedByMs ?? [])))}`;
  if (kind !== "expected") return kind;
  const windows = items.flatMap(({ nextRestart }) => nextRestart ?? []);
  const fromMs = leastOf(windows.map(({ notBeforeMs }) => notBeforeMs));
  const toMs = greatestOf(windows.map(({ likelyByMs }) => likelyByMs));
  return spanWords(wholeSecondsAhead(fromMs - nowMs, toMs - nowMs));
}

function spanWords([from, to]: readonly [number, number]): string {
  if (to === 0) return "now";
  return from === 0 ? `within ${formatBriefDuration(to)}` : rangeOf([from, to], formatBriefDuration);
}

/** Causes by their names, with the exit code behind them; the others are told by the exit code, or by what the status says. */
const CAUSES: Partial<Readonly<Record<ListItem["cause"], string>>> = {
  oom: "OOMKilled",
  "start-error": "StartError",
  "restart-all": "RestartAllContainers",
  "image-pull": "image pull",
};

/** Causes that say more of an exit code. */
const CLAUSES: Partial<Readonly<Record<ListItem["cause"], string>>> = {
  "liveness-probe": "liveness probe",
  "startup-probe": "startup probe",
  "post-start-hook": "postStart hook",
  "spec-change": "spec change",
};

/** Why a container is down: "exit 1", "exit 143 (SIGTERM)", "OOMKilled (137)", "CreateContainerConfigError". */
export function causeCell({ cause, lastExit, reported }: ListItem): string {
  if (cause === "start-failure") return reported ?? "start failure";
  const name = CAUSES[cause];
  // The kubelet makes up a code for what it removes; a pull has none.
  const isOfExit = lastExit !== null && cause !== "restart-all" && cause !== "image-pull";
  if (name !== undefined) return isOfExit ? `${name} (${lastExit.exitCode})` : name;
  if (lastExit === null || cause === "unknown") return CLAUSES[cause] ?? UNKNOWN;
  const { exitCode } = lastExit;
  // A program that obeys SIGTERM has an exit code of its own.
  const signal = lastExit.signal ?? (cause === "signal" && exitCode > 128 ? exitCode - 128 : null);
  const clause = CLAUSES[cause] ?? (signal === null ? undefined : (SIGNALS[signal] ?? `signal ${signal}`));
  return clause === undefined ? `exit ${exitCode}` : `exit ${exitCode} (${clause})`;
}

/** About since when the first of them has been failing: "14:02", "Nov 20 14:02". */
export function sinceCell(items: Alike, nowMs: number): string {
  const sinceMs = leastOf(items.flatMap(({ failingSinceMs }) => failingSinceMs ?? []));
  if (sinceMs === Number.POSITIVE_INFINITY) return UNKNOWN;
  const [since, now] = [sinceMs, nowMs].map((atMs) => localTime(atMs, zoneOffsetMs(undefined, atMs)));
  if (since?.year !== now?.year) return `${since?.day} ${since?.year}`;
  const minute = since?.clock.slice(0, "14:02".length) ?? "";
  return since?.day === now?.day ? minute : `${since?.day} ${minute}`;
}

/** "10s-5m"; "10s" where both ends read the same. */
function rangeOf(values: readonly number[], format: (value: number) => string): string {
  const [from, to] = [format(leastOf(values)), format(greatestOf(values))];
  return from === to ? from : `${from}-${to}`;
}
