import type { SimulatedStart } from "../../simulate/walk.ts";
import { harmless } from "../page/harmless.ts";
import { figurePage, htmlTable } from "../page/html-page.ts";
import { counted } from "../page/paint.ts";
import { type Drawing, headingOf } from "../page/picture.ts";
import { element, toXml, type XmlElement } from "../page/xml.ts";
import { drawTimeline } from "../timeline/drawing.ts";
import { pictureOf } from "../timeline/picture.ts";
import type { Lane, LaneRun, LaneWait, Timeline } from "../timeline/timeline.ts";
import { reportsIn, type Simulated, type SimulationReport } from "./simulation-report.ts";
import {
  comparisonTable,
  isReducedInVain,
  notesOf,
  REDUCED_IN_VAIN,
  rowsOf,
  START_HEADINGS,
} from "./simulation-table.ts";
import { delaysInWords, precisePercent, span, titleOf } from "./simulation-words.ts";

export function renderSimulatedSvg(simulated: Simulated): string {
  const reports = reportsIn(simulated);
  const words = wordsOf(reports);
  return toXml(pictureOf(words, [headingOf(words.title, words.lead), lanes(reports)]));
}

export function renderSimulatedHtml(simulated: Simulated): string {
  const reports = reportsIn(simulated);
  const words = wordsOf(reports);
  return figurePage(words.title, [
    element("p", {}, [words.lead]),
    element("figure", {}, [pictureOf(words, [lanes(reports)])]),
    ...cutNote(reports),
    ...(simulated.kind === "simulation" ? startsOf(simulated.report) : comparisonOf(reports)),
  ]);
}

function lanes(reports: readonly SimulationReport[]): Drawing {
  return drawTimeline(timelineOfSimulations(reports));
}

function wordsOf(reports: readonly SimulationReport[]) {
  const sentences = timelineOfSimulations(reports).lanes.map(({ name, state, waits }) => {
    const lengths = waits.slice(-5).map(({ label }) => label);
    return `${name}: ${state}${lengths.length === 0 ? "" : `, the last waits ${lengths.join(", ")}`}.`;
  });
  const lead = titleOf(reports);
  const description = [lead, ...sentences].join(" ");
  const [only, ...others] = reports;
  if (only !== undefined && others.length === 0) {
    const { restarts, forMs, availability } = only.simulation.figures;
    const title = `${counted(restarts, "restart")} in the first ${span(forMs)}, up ${precisePercent(availability)}`;
    return { title, lead, description };
  }
  const ranked = reports.toSorted((a, b) => b.simulation.figures.availability - a.simulation.figures.availability);
  const uptimes = ranked.map(({ name, simulation }) => `${name} ${precisePercent(simulation.figures.availability)}`);
  return { title: `Uptime: ${uptimes.join(", ")}`, lead, description };
}

function cutNote(reports: readonly SimulationReport[]): XmlElement[] {
  const untilMs = shownUntilMs(reports);
  const isCut = reports.some(({ simulation }) => simulation.figures.forMs > untilMs);
  return isCut ? [element("p", { class: "quiet" }, [`Cut at ${span(untilMs)} for legibility.`])] : [];
}

function startsOf(report: SimulationReport): XmlElement[] {
  const { rows, goesOn } = rowsOf(report);
  return [
    element("h2", {}, ["Starts"]),
    htmlTable(START_HEADINGS, rows),
    ...(goesOn === "" ? [] : [element("p", {}, [goesOn])]),
    ...notesOf(report).map(([label, text]) => element("p", {}, [element("b", {}, [`${label} `]), text])),
  ];
}

function comparisonOf(reports: readonly SimulationReport[]): XmlElement[] {
  const { headings, rows } = comparisonTable(reports);
  return [
    element("h2", {}, ["Figures"]),
    htmlTable(headings, rows),
    ...(reports.some(isReducedInVain) ? [element("p", {}, [REDUCED_IN_VAIN])] : []),
    ...reports.map(({ name, policy }) => element("p", { class: "quiet" }, [`${name}: ${delaysInWords(policy)}`])),
  ];
}

const MOST_RUNS = 200;

function timelineOfSimulations(reports: readonly SimulationReport[]): Timeline {
  const untilMs = shownUntilMs(reports);
  return { lanes: reports.map((report) => laneOf(report, untilMs)), nowMs: null, clock: { kind: "elapsed" } };
}

function shownUntilMs(reports: readonly SimulationReport[]): number {
  const longestMs = Math.max(...reports.map(({ simulation }) => simulation.figures.forMs));
  const ends = reports.map(({ simulation }) => simulation.starts[MOST_RUNS]?.startedMs ?? longestMs);
  return Math.min(longestMs, ...ends);
}

function laneOf({ name, policy, simulation: { starts, figures } }: SimulationReport, untilMs: number): Lane {
  const shown = starts.filter(({ startedMs }) => startedMs <= untilMs);
  return {
    name: name === "as-is" ? `kubelet ${harmless(policy.kubeletVersion ?? "unknown")}` : name,
    role: "",
    state: `${counted(figures.restarts, "restart")}, up ${precisePercent(figures.availability)}`,
    tone: "quiet",
    isCalm: false,
    remark: "",
    runs: shown.map((start) => runOf(start, untilMs)),
    waits: shown.flatMap((start) => waitsOf(start, untilMs)),
    attempts: null,
    logLinesAtMs: [],
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
    basis: "observed",
    end: finishedMs > untilMs ? "goes-on" : ended,
    label: "",
    title,
  };
}

function waitsOf(simulated: SimulatedStart, untilMs: number): LaneWait[] {
  const { finishedMs, nextStartedMs, wait, crashLoopBackOff } = simulated;
  if (nextStartedMs === null || wait === null || wait.delayMs === 0 || finishedMs >= untilMs) return [];
  const length = span(nextStartedMs - finishedMs);
  const shown =
    crashLoopBackOff === null
      ? "kubectl never shows CrashLoopBackOff"
      : `kubectl shows CrashLoopBackOff from ${span(crashLoopBackOff.fromMs)} on`;
  return [
    {
      startMs: finishedMs,
      endMs: nextStartedMs,
      wouldEndMs: wait.isDropped && wait.plannedAtMs > nextStartedMs ? wait.plannedAtMs : null,
      basis: "observed",
      crashLoopBackOffMs:
        crashLoopBackOff === null ? null : [crashLoopBackOff.fromMs, Math.min(crashLoopBackOff.toMs, nextStartedMs)],
      label: length,
      title: `Waits ${length} (delay ${span(wait.delayMs)}), to ${span(nextStartedMs)}; ${shown}.`,
    },
  ];
}
