import type { PodExplanation } from "../explain/explanation.ts";
import type { WaitGoal, WaitState } from "../explain/wait-for.ts";
import { formatBriefDuration } from "../kubelet/go-duration.ts";
import { harmless } from "./harmless.ts";
import { timesAround } from "./times.ts";

/** The line that says that it has happened: "pod/web-0 restarted: app, start 7 at 14:04:51 GMT+1". */
export function waitLine(
  goal: WaitGoal,
  pod: string,
  { container, start, atMs }: Extract<WaitState, { kind: "happened" }>,
  nowMs: number,
  timeZone?: string,
): string {
  const at = `at ${timesAround(nowMs, timeZone).instant(atMs)}`;
  const what = `pod/${harmless(pod)}`;
  const which = container === null ? "" : `: ${harmless(container)}`;
  if (goal === "restart") return `${what} restarted${which}, start ${start} ${at}`;
  if (goal === "recovered") return `${what} recovered${which} ${at}`;
  return container === null ? `${what} has no back-off` : `${what} reset its back-off${which} ${at}`;
}

const NOT_YET: Readonly<Record<WaitGoal, string>> = {
  restart: "has not restarted",
  reset: "has not reset its back-off",
  recovered: "has not recovered",
};

/** What to say when time is up: for how long, and how things stand. */
export function timeoutLines(goal: WaitGoal, pod: PodExplanation, waitedMs: number, nowMs: number): string[] {
  const times = timesAround(nowMs);
  const after = waitedMs === 0 ? "" : `Timed out after ${formatBriefDuration(waitedMs)}: `;
  return [`${after}pod/${harmless(pod.name)} ${NOT_YET[goal]}.`, harmless(times.sentence(pod.summary))];
}
