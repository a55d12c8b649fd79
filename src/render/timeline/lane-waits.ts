import type { ContainerExplanation } from "../../explain/answer/explanation.ts";
import { formatBriefDuration } from "../../kubelet/go-duration.ts";
import type { Times } from "../page/times.ts";
import type { LaneRun, LaneWait } from "./timeline.ts";

/** The waits between runs, and the one that is not over. */
export function waitsOf(
  container: ContainerExplanation,
  runs: readonly LaneRun[],
  nowMs: number,
  times: Times,
): LaneWait[] {
  const past = runs.slice(1).flatMap((later, index) => {
    const earlier = runs[index];
    return earlier === undefined || later.startMs <= earlier.endMs ? [] : [pastWait(earlier, later, times)];
  });
  return [...past, ...currentWait(container, nowMs, times), ...pullWait(container, nowMs)];
}

function pastWait(earlier: LaneRun, later: LaneRun, times: Times): LaneWait {
  const [startMs, endMs] = [earlier.endMs, later.startMs];
  const isSeen = earlier.basis === "seen" && later.basis === "seen";
  const length = formatBriefDuration(Math.round((endMs - startMs) / 1000) * 1000);
  return {
    startMs,
    endMs,
    wouldEndMs: null,
    basis: isSeen ? "seen" : "inferred",
    label: isSeen ? length : "",
    title: isSeen
      ? `Waited ${length}: ${times.span(startMs, "to", endMs)}`
      : `Not seen. A wait of ${length}, if the runs before and after it were here.`,
  };
}

function currentWait(container: ContainerExplanation, nowMs: number, times: Times): LaneWait[] {
  const { state, lastExit, nextRestart, delayMs, reset } = container;
  const startMs = lastExit?.finishedAtMs ?? null;
  if (startMs === null || (state !== "backing-off" && state !== "restarting")) return [];
  const endMs = Math.max(startMs, nextRestart?.notBeforeMs ?? nowMs);
  const isCut = reset?.how === "during-the-wait" && delayMs !== null && startMs + delayMs > endMs;
  const length = delayMs === null ? "unknown" : formatBriefDuration(delayMs);
  const cut = isCut ? ", but the back-off resets before that" : "";
  return [
    {
      startMs,
      endMs,
      wouldEndMs: isCut ? startMs + delayMs : null,
      basis: "seen",
      label: delayMs === null || delayMs === 0 ? "" : `delay ${length}`,
      title: `In back-off since its exit at ${times.instant(startMs)}; delay ${length}${cut}`,
    },
  ];
}

/** The API does not say when the last pull failed: the delay says it, as long as the wait is not over. */
function pullWait({ imagePull }: ContainerExplanation, nowMs: number): LaneWait[] {
  const { nextPull = null, delayMs = null } = imagePull ?? {};
  if (nextPull === null || delayMs === null || nextPull.notBeforeMs <= nowMs) return [];
  const label = `delay ${formatBriefDuration(delayMs)}`;
  const [startMs, endMs] = [Math.min(nowMs, nextPull.notBeforeMs - delayMs), nextPull.notBeforeMs];
  return [{ startMs, endMs, wouldEndMs: null, basis: "inferred", label, title: `Waits for the next pull; ${label}` }];
}
