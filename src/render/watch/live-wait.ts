import type { PodExplanation } from "../../explain/answer/explanation.ts";
import type { WaitGoal, WaitState } from "../../explain/follow/wait-for.ts";
import { countsForReady } from "../../explain/observed/lookups.ts";
import { formatBriefDuration } from "../../kubelet/go-duration.ts";
import { harmless } from "../page/harmless.ts";
import { pageOf } from "../page/page.ts";
import { timesAround } from "../page/times.ts";
import { answerLine, type LiveFrame } from "./live.ts";

interface Happened
  extends Pick<Extract<WaitState, { kind: "happened" }>, "container" | "start" | "atMs" | "wasBefore"> {
  readonly replaced: string | null;
}

export function waitLine(goal: WaitGoal, pod: PodExplanation, happened: Happened, nowMs: number): string {
  const { container, start, atMs, wasBefore = false, replaced } = happened;
  const at = `at ${timesAround(nowMs).instant(atMs)}`;
  const what = `pod/${harmless(pod.name)}`;
  const which = container === null ? "" : `: container ${harmless(container)}`;
  if (goal === "restart" && replaced !== null) return `${what} replaces ${harmless(replaced)}${which} started ${at}`;
  if (goal === "restart") return `${what} restarted${which}, restart ${start}, ${at}`;
  if (goal === "reset")
    return container === null ? `${what} has no back-off` : `${what} reset its back-off${which} ${at}`;
  if (hasNeverFailed(pod)) return `${what} is up and has never failed${which}`;
  return wasBefore ? `${what} had already recovered${which}` : `${what} recovered${which} ${at}`;
}

function hasNeverFailed({ containers }: PodExplanation): boolean {
  return containers
    .filter(countsForReady)
    .every(({ restartCount, lastExit }) => restartCount === 0 && lastExit === null);
}

export function replacedLine(pod: string): string {
  return `pod/${harmless(pod)} is being deleted: waiting for the pod that replaces it.`;
}

/** Returns sentences without countdowns, so that the caller can print each of them once. */
export function overdueLines(pod: PodExplanation, container: string | undefined, nowMs: number): string[] {
  const times = timesAround(nowMs);
  const meant = pod.containers.filter(({ name }) => container === undefined || name === container);
  return meant.flatMap((one) => {
    const { name, overdue, whatToCheck, knownBug } = one.waitsFor ?? one;
    if (overdue === null) return [];
    const by = times.instant(overdue.expectedByMs);
    const late = `Still waiting: ${name} should have restarted by ${by}; ${times.text(whatToCheck)}.`;
    return [harmless(knownBug === null ? late : `${late} ${knownBug.sentence}`)];
  });
}

const DONE: Readonly<Record<WaitGoal, string>> = {
  restart: "restarted",
  reset: "reset its back-off",
  recovered: "recovered",
};

/** Assumed: the connection is lost if the API server has sent nothing for this time. */
const SILENT_MS = 5_000;

export function timeoutLines(
  goal: WaitGoal,
  pod: PodExplanation,
  waitedMs: number,
  { explanation, nowMs, heardAtMs, connectionLoss }: Omit<LiveFrame, "predictions"> & { readonly heardAtMs: number },
): string[] {
  const page = pageOf({ ...explanation, pods: [pod] }, { columns: Number.POSITIVE_INFINITY, color: false });
  const after = waitedMs === 0 ? "" : `Timed out after ${formatBriefDuration(waitedMs)}: `;
  const what = `pod/${harmless(pod.name)}`;
  const silentSinceMs = connectionLoss?.sinceMs ?? heardAtMs;
  if (connectionLoss !== null || nowMs - heardAtMs >= SILENT_MS) {
    const since = page.times.instant(silentSinceMs);
    return [`${after}disconnected since ${since}. Until then, ${what} had not ${DONE[goal]}.`];
  }
  return [`${after}${what} has not ${DONE[goal]}.`, harmless(answerLine(pod, page))];
}
