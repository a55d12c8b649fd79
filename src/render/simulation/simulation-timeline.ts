import type { SimulatedStart } from "../../simulate/walk.ts";
import { harmless } from "../page/harmless.ts";
import type { Lane, LaneRun, LaneWait, Timeline } from "../timeline/timeline.ts";
import type { SimulationReport } from "./simulation-report.ts";
import { percent, span } from "./simulation-words.ts";

/** More runs of one lane than this are not drawn. */
const MOST_RUNS = 200;

/** Simulations as a timeline, one lane each, up to the time that all of them are shown for. */
export function timelineOfSimulations(reports: readonly SimulationReport[]): Timeline {
  const untilMs = shownUntilMs(reports);
  return { lanes: reports.map((report) => laneOf(report, untilMs)), nowMs: null, clock: { kind: "elapsed" } };
}

/** To the end of what was simulated, or to where a lane has too many runs to be drawn. */
export function shownUntilMs(reports: readonly SimulationReport[]): number {
  const longestMs = Math.max(...reports.map(({ simulation }) => simulation.figures.forMs));
  const ends = reports.map(({ simulation }) => simulation.starts[MOST_RUNS]?.startedMs ?? longestMs);
  return Math.min(longestMs, ...ends);
}

function laneOf({ name, policy, simulation: { starts, figures } }: SimulationReport, untilMs: number): Lane {
  const shown = starts.filter(({ startedMs }) => startedMs <= untilMs);
  const restarts = `${figures.restarts} ${figures.restarts === 1 ? "restart" : "restarts"}`;
  const isDown = starts.some(({ wait }) => wait !== null && wait.delayMs > 0);
  return {
    name: name === "as-is" ? `kubelet ${harmless(policy.kubeletVersion ?? "unknown")}` : name,
    role: "",
    state: `${restarts}, up ${percent(figures.availability)}`,
    tone: isDown ? "bad" : "uneasy",
    isCalm: false,
    remark: "",
    runs: shown.map((start) => runOf(start, untilMs)),
    waits: shown.flatMap((start) => waitsOf(start, untilMs)),
    next: null,
    reset: null,
  };
}

function runOf({ start, startedMs, finishedMs, run, nextStartedMs }: SimulatedStart, untilMs: number): LaneRun {
  const ended = run.exitCode === 0 && nextStartedMs === null ? "succeeded" : "failed";
  const which = start === 0 ? "First start" : `Restart ${start}`;
  const title = `${which}, at ${span(startedMs)}: ran ${span(finishedMs - startedMs)}, exit code ${run.exitCode}.`;
  return {
    startMs: startedMs,
    endMs: Math.max(startedMs, Math.min(finishedMs, untilMs)),
    basis: "seen",
    end: finishedMs > untilMs ? "goes-on" : ended,
    label: "",
    title,
  };
}

function waitsOf(simulated: SimulatedStart, untilMs: number): LaneWait[] {
  const { finishedMs, nextStartedMs, wait } = simulated;
  if (nextStartedMs === null || wait === null || wait.delayMs === 0 || finishedMs >= untilMs) return [];
  return [
    {
      startMs: finishedMs,
      endMs: nextStartedMs,
      wouldEndMs: wait.droppedAtMs === null || wait.plannedAtMs <= nextStartedMs ? null : wait.plannedAtMs,
      basis: "seen",
      label: span(nextStartedMs - finishedMs),
      title: waitTitle(simulated, nextStartedMs),
    },
  ];
}

function waitTitle({ finishedMs, wait, crashLoopBackOff }: SimulatedStart, nextStartedMs: number): string {
  const shown =
    crashLoopBackOff === null
      ? "kubectl never shows CrashLoopBackOff"
      : `kubectl shows CrashLoopBackOff from ${span(crashLoopBackOff.fromMs)} on`;
  return `Waits ${span(nextStartedMs - finishedMs)} (delay ${span(wait?.delayMs ?? 0)}), to ${span(nextStartedMs)}; ${shown}.`;
}
