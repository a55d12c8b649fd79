import type { ContainerExplanation, PodExplanation } from "../../explain/answer/explanation.ts";
import { formatCountdown, formatElapsed } from "../page/durations.ts";
import type { Page } from "../page/page.ts";
import type { Times } from "../page/times.ts";
import { byUrgency, isInTrouble, roleSuffix, stateTone } from "../page/trouble.ts";
import { runsOf } from "./lane-runs.ts";
import { waitsOf } from "./lane-waits.ts";
import type { Lane, LaneMoment, NextStart, Timeline } from "./timeline.ts";

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

function remarkOf({ state, overdue }: ContainerExplanation, nowMs: number): string {
  if (overdue !== null) return `overdue by ${formatElapsed(nowMs - overdue.expectedByMs)}`;
  return state === "blocked" ? "waits for the containers before it" : "";
}

function stateOf({ state, restartCount }: ContainerExplanation): string {
  const words = state.replace("-", " ");
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
  const what = imagePull === null ? (state === "starting" ? "Next attempt" : "Next start") : "Next pull";
  const countdown = formatCountdown(fromMs - nowMs, toMs - nowMs);
  const title = `${what} between ${times.span(fromMs, "and", toMs)} (${Math.round(confidence * 100)} % sure)`;
  return { what: what.toLowerCase(), fromMs, toMs, label: `${what.toLowerCase()} ${countdown}`, title };
}

function resetOf({ reset }: ContainerExplanation, times: Times): LaneMoment | null {
  if (reset === null) return null;
  const { atMs, how } = reset;
  const condition = how === "if-it-keeps-running" ? "if it is still up then" : "although it still waits then";
  return { atMs, label: "reset", title: `The back-off resets at ${times.instant(atMs)}, ${condition}` };
}
