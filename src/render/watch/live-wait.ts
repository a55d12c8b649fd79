import type { PodExplanation } from "../../explain/answer/explanation.ts";
import type { WaitGoal, WaitState } from "../../explain/follow/wait-for.ts";
import { formatBriefDuration } from "../../kubelet/go-duration.ts";
import { harmless } from "../page/harmless.ts";
import { timesAround } from "../page/times.ts";

type Happened = Extract<WaitState, { kind: "happened" }>;

/** Says that the awaited event happened: "pod/web-0 restarted: container app, restart 7, at 14:04:51 GMT+1". */
export function waitLine(goal: WaitGoal, pod: string, { container, start, atMs }: Happened, nowMs: number): string {
  const at = `at ${timesAround(nowMs).instant(atMs)}`;
  const what = `pod/${harmless(pod)}`;
  const which = container === null ? "" : `: container ${harmless(container)}`;
  if (goal === "restart") return `${what} restarted${which}, restart ${start}, ${at}`;
  if (goal === "recovered") return `${what} recovered${which} ${at}`;
  return container === null ? `${what} has no back-off` : `${what} reset its back-off${which} ${at}`;
}

/** Returns a sentence for each container whose restart is overdue. The sentence does not change as time passes. */
export function overdueLines(pod: PodExplanation, container: string | undefined, nowMs: number): string[] {
  const times = timesAround(nowMs);
  return pod.containers.flatMap(({ name, overdue }) => {
    if (overdue === null || (container !== undefined && name !== container)) return [];
    const by = times.instant(overdue.expectedByMs);
    return [harmless(`Still waiting: ${name} should have restarted by ${by}; ${times.sentence(overdue.check)}.`)];
  });
}

const NOT_YET: Readonly<Record<WaitGoal, string>> = {
  restart: "has not restarted",
  reset: "has not reset its back-off",
  recovered: "has not recovered",
};

/** Returns what to print if `wait` gives up: the time waited (`waitedMs`; 0 for a single check), the pod's state. */
export function timeoutLines(goal: WaitGoal, pod: PodExplanation, waitedMs: number, nowMs: number): string[] {
  const times = timesAround(nowMs);
  const after = waitedMs === 0 ? "" : `Timed out after ${formatBriefDuration(waitedMs)}: `;
  return [`${after}pod/${harmless(pod.name)} ${NOT_YET[goal]}.`, harmless(times.sentence(pod.summary))];
}
