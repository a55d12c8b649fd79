import type { ContainerExplanation, PodExplanation } from "../../explain/answer/explanation.ts";
import { awaitsRestart, byUrgency, troubleOf } from "../../explain/triage.ts";
import { formatBriefDuration } from "../../kubelet/go-duration.ts";
import type { Cell, Table } from "../page/columns.ts";
import { exitTag, roleSuffix, runLength, stateTone, stateWords } from "../page/container-words.ts";
import { formatCountdownTo, formatElapsed, isAhead, windowCell } from "../page/durations.ts";
import { hasPodEnded } from "../page/ending.ts";

const HEADINGS = ["CONTAINER", "STATE", "LAST EXIT", "RESTARTS", "DELAY", "NEXT START", "RESETS"];

export const DENSITIES = ["roomy", "plain", "tight"] as const;

type Density = (typeof DENSITIES)[number];

export function containerTable(pod: PodExplanation, nowMs: number, density: Density = "roomy"): Table {
  const rows = byUrgency(pod.containers).map((container) => cellsOf(container, pod, nowMs, density));
  if (rows.some((cells) => cells.at(-1) !== "-")) return { headings: HEADINGS, rows };
  return { headings: HEADINGS.slice(0, -1), rows: rows.map((cells) => cells.slice(0, -1)) };
}

function cellsOf(container: ContainerExplanation, pod: PodExplanation, nowMs: number, density: Density): Cell[] {
  return [
    container.name + roleSuffix(container),
    { text: stateCell(container, nowMs, density), tone: stateTone(container) },
    lastExitCell(container, nowMs, density),
    `${container.restartCount}`,
    delayCell(container),
    hasPodEnded(pod) ? "-" : nextCell(container, nowMs, density),
    resetCell(container, pod.policy.resetAfterMs, nowMs, density),
  ];
}

function stateCell(container: ContainerExplanation, nowMs: number, density: Density): string {
  const { state, history } = container;
  const canStart = troubleOf(container) !== "start-failing";
  const words = state === "blocked" && density !== "roomy" ? "waiting" : stateWords(state, canStart);
  const run = history.at(-1);
  if (state !== "running" || density !== "roomy" || run === undefined || run.startedAtMs === null) return words;
  const upMs = nowMs - run.startedAtMs;
  return run.finishedAtMs === null && !isAhead(upMs) ? `${words} ${formatElapsed(upMs)}` : words;
}

function lastExitCell({ lastExit, restartCount }: ContainerExplanation, nowMs: number, density: Density): string {
  if (lastExit === null) return restartCount > 0 ? "unknown" : "-";
  const ran = runLength(lastExit);
  if (density === "tight" || ran === null) return exitTag(lastExit, density === "tight");
  const withRun = exitTag(lastExit, false, `ran ${ran}`);
  if (density !== "roomy" || lastExit.finishedAtMs === null) return withRun;
  const ageMs = nowMs - lastExit.finishedAtMs;
  return `${withRun}, ${isAhead(ageMs) ? "in the future" : `${formatElapsed(ageMs)} ago`}`;
}

function delayCell({ delayMs, otherDelaysMs = [], state, imagePull }: ContainerExplanation): string {
  if (imagePull !== null)
    return imagePull.delayMs === null ? "unknown" : `${formatBriefDuration(imagePull.delayMs)} (pull)`;
  if (delayMs === null) return awaitsRestart({ state }) ? "unknown" : "-";
  const [other, ...more] = otherDelaysMs;
  const delays = other === undefined || more.length > 0 ? [delayMs] : [delayMs, other].toSorted((a, b) => a - b);
  return delays.map((ms) => (ms === 0 ? "none" : formatBriefDuration(ms))).join(" or ");
}

function nextCell({ nextRestart, overdue, state }: ContainerExplanation, nowMs: number, density: Density): string {
  if (overdue !== null)
    return `overdue${density === "tight" ? "" : " by"} ${formatElapsed(nowMs - overdue.expectedByMs)}`;
  if (nextRestart === null) return awaitsRestart({ state }) || state === "unknown" ? "unknown" : "-";
  return windowCell(nextRestart, nowMs);
}

function resetCell(container: ContainerExplanation, resetAfterMs: number, nowMs: number, density: Density): string {
  const { reset, state, delayMs } = container;
  if (reset !== null) return formatCountdownTo(reset.atMs - nowMs);
  if (!awaitsRestart({ state }) || delayMs === null || delayMs === 0) return "-";
  return `${density === "tight" ? "" : "after "}${formatBriefDuration(resetAfterMs)} up`;
}
