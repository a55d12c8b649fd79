import type { ContainerExplanation, PodExplanation } from "../../explain/answer/explanation.ts";
import { formatBriefDuration } from "../../kubelet/go-duration.ts";
import { formatCountdown, formatElapsed } from "../page/durations.ts";
import type { Page } from "../page/page.ts";
import type { Times } from "../page/times.ts";
import { byUrgency, isInTrouble, roleSuffix, stateTone, stateWords } from "../page/trouble.ts";
import { runsOf } from "./lane-runs.ts";
import type { Lane, LaneMoment, LaneRun, LaneWait, NextStart, Timeline } from "./timeline.ts";

/** A pod's containers as lanes, those in trouble first. */
export function timelineOf(pod: PodExplanation, { nowMs, times, timeZone }: Page): Timeline {
  const lanes = byUrgency(pod.containers).map((container) => laneOf(container, nowMs, times));
  return { lanes, nowMs, clock: { kind: "zone", timeZone } };
}

/** One container as a lane at the moment `nowMs`. */
export function laneOf(container: ContainerExplanation, nowMs: number, times: Times): Lane {
  const { name } = container;
  const runs = runsOf(container, nowMs, times);
  return {
    name,
    role: roleSuffix(container),
    state: stateOf(container),
    tone: stateTone(container),
    isCalm: !isInTrouble(container),
    remark: remarkOf(container, nowMs),
    runs,
    waits: waitsOf(container, runs, nowMs, times),
    next: nextOf(container, nowMs, times),
    reset: resetOf(container, times),
  };
}

function remarkOf({ overdue }: ContainerExplanation, nowMs: number): string {
  return overdue === null ? "" : `overdue by ${formatElapsed(nowMs - overdue.expectedByMs)}`;
}

function stateOf({ state, restartCount }: ContainerExplanation): string {
  const words = stateWords(state);
  if (restartCount === 0) return words;
  return `${words}, ${restartCount} ${restartCount === 1 ? "restart" : "restarts"}`;
}

function nextOf(
  { nextRestart, imagePull, state }: ContainerExplanation,
  nowMs: number,
  times: Times,
): NextStart | null {
  if (nextRestart === null) return null;
  const { notBeforeMs: fromMs, likelyByMs: toMs, confidence } = nextRestart;
  const what = imagePull === null ? (state === "starting" ? "Next attempt" : "Next restart") : "Next pull";
  const countdown = formatCountdown(fromMs - nowMs, toMs - nowMs);
  const title = `${what}: ${times.span(fromMs, toMs)} (${Math.round(confidence * 100)}% confidence)`;
  return {
    what: what.toLowerCase(),
    fromMs,
    toMs,
    label: `${what.toLowerCase().slice("next ".length)} ${countdown}`,
    title,
  };
}

function resetOf({ reset }: ContainerExplanation, times: Times): LaneMoment | null {
  if (reset === null) return null;
  const { atMs, how } = reset;
  const condition = how === "if-it-keeps-running" ? "if it is still up then" : "although it still waits then";
  return { atMs, label: "reset", title: `The back-off resets at ${times.instant(atMs)}, ${condition}` };
}

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
      ? `Waited ${length}: ${times.span(startMs, endMs)}`
      : `Not observed. A wait of ${length}, if the runs before and after it are placed right.`,
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
