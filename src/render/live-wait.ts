import type { WaitGoal, WaitState } from "../explain/wait-for.ts";
import { harmless } from "./harmless.ts";
import { timesAround } from "./times.ts";

/** The line that says that it has happened: "pod/web-0 restarted: app, start 7 at 14:04:51 CET". */
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
