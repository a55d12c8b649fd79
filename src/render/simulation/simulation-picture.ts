import type { SimulatedStart } from "../../simulate/walk.ts";
import { harmless } from "../page/harmless.ts";
import { figurePage, htmlTable } from "../page/html-page.ts";
import { counted } from "../page/paint.ts";
import { type Drawing, textDrawing } from "../page/picture.ts";
import { wrap } from "../page/width.ts";
import { element, toXml, type XmlElement } from "../page/xml.ts";
import { drawTimeline } from "../timeline/drawing.ts";
import { DRAWING_WIDTH, pictureOf } from "../timeline/picture.ts";
import type { Lane, LaneRun, LaneWait, Timeline } from "../timeline/timeline.ts";
import { comparisonTable, isReducedInVain, REDUCED_IN_VAIN } from "./simulation-comparison.ts";
import type { SimulationReport } from "./simulation-report.ts";
import { notesOf, rowsOf } from "./simulation-table.ts";
import { delaysInWords, percent, span, titleOf } from "./simulation-words.ts";

const TITLE_COLUMNS = 88;
const LEAD_COLUMNS = 124;

/** Simulations as one picture: what was simulated, and a lane with runs and waits per configuration. */
export function renderSimulationSvg(reports: readonly SimulationReport[]): string {
  return toXml(pictureOf(wordsOf(reports), [heading(reports), lanes(reports)]));
}

/** The same as a page, with the figures as tables. */
export function renderSimulationHtml(reports: readonly SimulationReport[]): string {
  const finding = findingOf(reports);
  const title = finding === "" ? titleOf(reports) : finding;
  const [only, ...others] = reports;
  return figurePage(title, [
    ...(finding === "" ? [] : [element("p", {}, [titleOf(reports)])]),
    element("figure", {}, [pictureOf(wordsOf(reports), [lanes(reports)])]),
    ...cutNote(reports),
    ...(only !== undefined && others.length === 0 ? startsOf(only) : comparisonOf(reports)),
  ]);
}

/** "Uptime: max=60s 40%, default 23%, v1.34 23%", the best first; empty for a single simulation. */
function findingOf(reports: readonly SimulationReport[]): string {
  if (reports.length < 2) return "";
  const ranked = reports.toSorted((a, b) => b.simulation.figures.availability - a.simulation.figures.availability);
  const uptimes = ranked.map(({ name, simulation }) => `${name} ${percent(simulation.figures.availability)}`);
  return `Uptime: ${uptimes.join(", ")}`;
}

function lanes(reports: readonly SimulationReport[]): Drawing {
  return drawTimeline(timelineOfSimulations(reports), DRAWING_WIDTH);
}

/** What follows, then what was simulated; of a single simulation, the figures stand beside its lane. */
function heading(reports: readonly SimulationReport[]): Drawing {
  const [setting, finding] = [titleOf(reports), findingOf(reports)];
  const line = (look: string) => (text: string) => ({ text, look, height: 24, descent: 6 });
  const [title, lead] = finding === "" ? [setting, ""] : [finding, setting];
  return textDrawing(
    [...wrap(title, TITLE_COLUMNS).map(line("title")), ...wrap(lead, LEAD_COLUMNS).map(line("lead"))],
    16,
  );
}

function wordsOf(reports: readonly SimulationReport[]) {
  const { lanes: drawn } = timelineOfSimulations(reports);
  const sentences = drawn.map(({ name, state, waits }) => {
    const lengths = waits.slice(-5).map(({ label }) => label);
    return `${name}: ${state}${lengths.length === 0 ? "" : `, the last waits ${lengths.join(", ")}`}.`;
  });
  const finding = findingOf(reports);
  return {
    title: finding === "" ? titleOf(reports) : finding,
    description: [...(finding === "" ? [] : [titleOf(reports)]), ...sentences].join(" "),
  };
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
    htmlTable(PAGE_HEADINGS, rows),
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

/** The table's columns, as they are written where there is room. */
const PAGE_HEADINGS = ["Start", "At", "Ran", "Delay", "Waited", "95% range", "CrashLoopBackOff"];

/** More runs of one lane than this are not drawn. */
const MOST_RUNS = 200;

/** Simulations as a timeline, one lane each, up to the time that all of them are shown for. */
function timelineOfSimulations(reports: readonly SimulationReport[]): Timeline {
  const untilMs = shownUntilMs(reports);
  return { lanes: reports.map((report) => laneOf(report, untilMs)), nowMs: null, clock: { kind: "elapsed" } };
}

/** To the end of what was simulated, or to where a lane has too many runs to be drawn. */
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
    state: `${counted(figures.restarts, "restart")}, up ${percent(figures.availability)}`,
    tone: "quiet",
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
  const { finishedMs, nextStartedMs, wait, crashLoopBackOff } = simulated;
  if (nextStartedMs === null || wait === null || wait.delayMs === 0 || finishedMs >= untilMs) return [];
  return [
    {
      startMs: finishedMs,
      endMs: nextStartedMs,
      wouldEndMs: wait.droppedAtMs === null || wait.plannedAtMs <= nextStartedMs ? null : wait.plannedAtMs,
      basis: "seen",
      shownMs:
        crashLoopBackOff === null ? null : [crashLoopBackOff.fromMs, Math.min(crashLoopBackOff.toMs, nextStartedMs)],
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
