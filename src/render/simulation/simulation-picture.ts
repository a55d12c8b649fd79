import { capitalized } from "../page/paint.ts";
import { wrap } from "../page/width.ts";
import { element, toXml, type XmlElement } from "../page/xml.ts";
import { htmlPage, htmlTable } from "../pod/html-page.ts";
import { PAGE_STYLES } from "../strategies/contention-picture.ts";
import { type Drawing, drawTimeline } from "../timeline/drawing.ts";
import { DRAWING_WIDTH, pictureOf } from "../timeline/picture.ts";
import { comparedFigures, isReducedInVain, REDUCED_IN_VAIN } from "./simulation-comparison.ts";
import type { SimulationReport } from "./simulation-report.ts";
import { notesOf, rowsOf } from "./simulation-table.ts";
import { shownUntilMs, timelineOfSimulations } from "./simulation-timeline.ts";
import { delaysInWords, span, titleOf } from "./simulation-words.ts";

const TITLE_COLUMNS = 88;
const LINE_HEIGHT = 24;

/** Simulations as one picture: what was simulated, and a lane with runs and waits per configuration. */
export function renderSimulationSvg(reports: readonly SimulationReport[]): string {
  return toXml(pictureOf(wordsOf(reports), [heading(titleOf(reports)), lanes(reports)]));
}

/** The same as a page, with the figures as tables. */
export function renderSimulationHtml(reports: readonly SimulationReport[]): string {
  const title = titleOf(reports);
  const [only, ...others] = reports;
  const isOne = only !== undefined && others.length === 0;
  return htmlPage({
    title,
    styles: PAGE_STYLES,
    body: [
      element("h1", {}, [title]),
      element("figure", {}, [pictureOf(wordsOf(reports), [lanes(reports)])]),
      ...cutNote(reports),
      ...(isOne ? startsOf(only) : comparisonOf(reports)),
    ],
  });
}

function lanes(reports: readonly SimulationReport[]): Drawing {
  return drawTimeline(timelineOfSimulations(reports), DRAWING_WIDTH);
}

function heading(title: string): Drawing {
  const lines = wrap(title, TITLE_COLUMNS);
  const parts = lines.map((text, index) =>
    element("text", { class: "title", x: 0, y: (index + 1) * LINE_HEIGHT - 6 }, [text]),
  );
  return { parts, height: lines.length * LINE_HEIGHT + 16 };
}

function wordsOf(reports: readonly SimulationReport[]) {
  const { lanes: drawn } = timelineOfSimulations(reports);
  const sentences = drawn.map(({ name, state, waits }) => {
    const lengths = waits.slice(-5).map(({ label }) => label);
    return `${name}: ${state}${lengths.length === 0 ? "" : `, the last waits ${lengths.join(", ")}`}.`;
  });
  return { title: titleOf(reports), description: sentences.join(" ") };
}

function cutNote(reports: readonly SimulationReport[]): XmlElement[] {
  const untilMs = shownUntilMs(reports);
  const isCut = reports.some(({ simulation }) => simulation.figures.forMs > untilMs);
  return isCut
    ? [element("p", { class: "quiet" }, [`The picture ends at ${span(untilMs)}: more could not be told apart.`])]
    : [];
}

function startsOf(report: SimulationReport): XmlElement[] {
  const { rows, goesOn } = rowsOf(report);
  return [
    element("h2", {}, ["Starts"]),
    htmlTable(
      PAGE_HEADINGS,
      rows.map((row) => [...row]),
    ),
    ...(goesOn === null ? [] : [element("p", {}, [capitalized(goesOn)])]),
    ...notesOf(report).map(([label, text]) => element("p", {}, [element("b", {}, [`${label} `]), text])),
  ];
}

function comparisonOf(reports: readonly SimulationReport[]): XmlElement[] {
  const rows = comparedFigures(reports).map(({ label, of }) => [label, ...reports.map(of)]);
  return [
    element("h2", {}, ["Figures"]),
    htmlTable(["", ...reports.map(({ name }) => name)], rows),
    ...(reports.some(isReducedInVain) ? [element("p", {}, [REDUCED_IN_VAIN])] : []),
    ...reports.map(({ name, policy }) => element("p", { class: "quiet" }, [`${name}: ${delaysInWords(policy)}`])),
  ];
}

/** The table's columns, as they are written where there is room. */
const PAGE_HEADINGS = ["Start", "At", "Ran", "Delay", "Waited", "95 % within", "CrashLoopBackOff"];
