import type { ListItem } from "../../explain/list.ts";
import { formatBriefDuration } from "../../kubelet/go-duration.ts";
import { formatElapsed, wholeSecondsAhead } from "../page/durations.ts";
import { harmless } from "../page/harmless.ts";

/** kubectl's own word. */
export const UNKNOWN = "<unknown>";

/** Causes by their names; the others are told by the exit code, or by what the status says. */
const CAUSES: Partial<Readonly<Record<ListItem["cause"], string>>> = {
  oom: "OOMKilled",
  "liveness-probe": "liveness probe",
  "startup-probe": "startup probe",
  "post-start-hook": "postStart hook",
  "start-error": "start error",
  "restart-all": "restart of all",
  "spec-change": "spec change",
  "image-pull": "image pull",
};

/** Why a container is down, in a cell: "exit 1", "signal 9", "OOMKilled", "CreateContainerConfigError". */
export function causeCell({ cause, lastExit, reported }: ListItem): string {
  const named = CAUSES[cause];
  if (named !== undefined) return named;
  if (cause === "start-failure") return harmless(reported ?? "start failure");
  if (lastExit === null || cause === "unknown") return "unknown";
  if (cause === "exited") return `exit ${lastExit.exitCode}`;
  return `signal ${lastExit.signal ?? lastExit.exitCode - 128}`;
}

/** How far away the next restart is: "1m27s-1m57s", "20s", "<28s" if it may come at any time until then, "now"; "overdue 5m". */
export function nextCell({ nextRestart, overdue, state }: ListItem, nowMs: number): string {
  if (state === "running") return "<none>";
  if (overdue !== null) return `overdue ${formatElapsed(nowMs - overdue.expectedByMs)}`;
  if (nextRestart === null) return UNKNOWN;
  const [from, to] = wholeSecondsAhead(nextRestart.notBeforeMs - nowMs, nextRestart.likelyByMs - nowMs);
  if (to === 0) return "now";
  if (from === 0) return `<${formatBriefDuration(to)}`;
  return from === to ? formatBriefDuration(from) : `${formatBriefDuration(from)}-${formatBriefDuration(to)}`;
}

/** "5 containers in 3 pods are down: 3 exit 1, 1 OOMKilled, 1 image pull." and the same of those that are up in a crash loop. */
export function totalsLine(items: readonly ListItem[]): string {
  const [down, up] = [
    items.filter(({ state }) => state !== "running"),
    items.filter(({ state }) => state === "running"),
  ];
  return [
    ...(down.length === 0 ? [] : [sentenceOf(down, down.length === 1 ? "is down" : "are down")]),
    ...(up.length === 0 ? [] : [sentenceOf(up, up.length === 1 ? "crash-loops but is up" : "crash-loop but are up")]),
  ].join(" ");
}

/** The most frequent cause first. */
function sentenceOf(items: readonly ListItem[], predicate: string): string {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(causeCell(item), (counts.get(causeCell(item)) ?? 0) + 1);
  const told = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  const pods = new Set(items.map(({ namespace, pod }) => `${namespace}/${pod}`)).size;
  const subject = `${counted(items.length, "container")} in ${counted(pods, "pod")}`;
  return `${subject} ${predicate}: ${told.map(([cause, count]) => `${count} ${cause}`).join(", ")}.`;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
