import Table from "cli-table3";
import type { Explanation, PodExplanation, Verdict } from "../../explain/answer/explanation.ts";
import { formatCountdown } from "../page/durations.ts";
import { allHarmless } from "../page/harmless.ts";
import { labelled, type Page, pageOf, type RenderOptions } from "../page/page.ts";
import { paint, type Tone } from "../page/paint.ts";
import { byUrgency, isInTrouble, stateTone } from "../page/trouble.ts";
import { displayWidth, shorten, wrap } from "../page/width.ts";
import { laneOf } from "../timeline/from-explanation.ts";
import { timelineLines } from "../timeline/line.ts";
import { answerOf, asOf, isChosenMoment } from "./answer.ts";
import { COLUMNS, type ContainerCells, containerCells, type Density } from "./container-cells.ts";
import { groupBlocks } from "./groups.ts";
import { logBlock } from "./log-lines.ts";
import { nextBlock } from "./next-steps.ts";
import { groundsOf, mainNotes, notesInLines } from "./notes.ts";

export type { RenderOptions } from "../page/page.ts";

/** More pods than this are counted first. */
const MOST_WITHOUT_TOTALS = 3;

/** The form for people: per pod the answer, what matters most about it, its containers, and what it rests on. */
export function renderTable(explanation: Explanation, options: RenderOptions): string {
  return renderPods(explanation, options, pageBlock);
}

/** The same with `blockOf` telling of each pod. */
export function renderPods(explanation: Explanation, options: RenderOptions, blockOf: typeof podBlock): string {
  const harmless = allHarmless(explanation);
  const page = pageOf(harmless, options);
  const { pods } = harmless;
  const blocks = groupBlocks(harmless, page, blockOf);
  if (pods.length > MOST_WITHOUT_TOTALS && blocks.length > 1) blocks.unshift(wrap(totals(pods, page), page.columns));
  const moment = isChosenMoment(harmless) ? [wrap(`${asOf(harmless, page.times)}:`, page.columns)] : [];
  return pods.length === 0 ? "" : [...moment, ...blocks].map((lines) => `${lines.join("\n")}\n`).join("\n");
}

/** One pod's lines: the page, and where the rest of it is. */
function pageBlock(pod: PodExplanation, page: Page): string[] {
  return [...podBlock(pod, page), "", ...wrap(groundsOf(pod), page.columns)];
}

/** One pod's answer, what matters most about its main container, and the table of its containers. */
export function podBlock(pod: PodExplanation, page: Page): string[] {
  const answer = answerOf(pod, page);
  const notes = mainNotes(pod, page.times);
  // What it said stands below how it ended.
  const logAt = notes.findIndex(({ label }) => label === "Crash" || label === "Exit") + 1;
  const [crash, others] = [notes.slice(0, logAt), notes.slice(logAt)].map((part) => notesInLines(part, page));
  const facts = [...(crash ?? []), ...logBlock(pod, page), ...(others ?? [])];
  const table = containerTable(pod, page);
  const next = nextBlock(pod, page);
  return [
    ...wrap(answer.headline, page.columns).map((line) => headlineIn(line, page.color)),
    ...wrap(answer.next, page.columns),
    ...(facts.length > 0 ? ["", ...facts] : []),
    ...(table.length > 0 ? ["", ...table] : []),
    ...(next.length > 0 ? ["", ...next] : []),
  ];
}

const VERDICT_WORDS = /CrashLoopBackOff|can't start|has failed|was evicted/;

/** A line of a headline: what is bad in it is red. */
function headlineIn(line: string, color: boolean): string {
  return paint(
    line.replace(VERDICT_WORDS, (words) => paint(words, "bad", color)),
    "title",
    color,
  );
}

/** What a reader has to act on first. */
const ORDER: readonly Verdict[] = [
  "crash-looping",
  "image-pull-back-off",
  "start-failing",
  "failed",
  "unknown",
  "pending",
  "terminating",
  "running",
  "completed",
];

/** Many pods in one line: how many of each verdict, and which container starts next. */
export function totals(pods: readonly PodExplanation[], page: Page): string {
  const counts = ORDER.map((verdict) => ({ verdict, count: pods.filter((pod) => pod.verdict === verdict).length }));
  const told = counts.filter(({ count }) => count > 0).map(({ verdict, count }) => `${count} ${verdict}`);
  return `${pods.length === 1 ? "1 pod" : `${pods.length} pods`}: ${told.join(", ")}.${firstStart(pods, page)}`;
}

function firstStart(pods: readonly PodExplanation[], { nowMs }: Page): string {
  const starts = pods.flatMap(({ namespace, name, containers }) =>
    containers.flatMap(({ name: container, nextRestart }) =>
      nextRestart === null ? [] : [{ who: `${container} of ${namespace}/${name}`, ...nextRestart }],
    ),
  );
  const [first] = starts.toSorted((a, b) => a.notBeforeMs - b.notBeforeMs || a.likelyByMs - b.likelyByMs);
  if (first === undefined) return "";
  return ` First to restart: ${first.who}, ${formatCountdown(first.notBeforeMs - nowMs, first.likelyByMs - nowMs)}.`;
}

/** Narrower pages get a list: a table would be more gaps than words. */
const TABLE_MIN_COLUMNS = 60;

/** A name shortened further than this tells no container from another. */
const NAME_MIN_COLUMNS = 7;

interface Row {
  readonly cells: ContainerCells;
  readonly tone: Tone;
}

/**
 * A pod's containers as the lines of a table, the most urgent first. If the page is too narrow, the table says less, then
 * shortens names, then becomes a list of key and value.
 */
export function containerTable(pod: PodExplanation, page: Page): string[] {
  if (pod.containers.length === 0) return [];
  const rows = (density: Density): Row[] =>
    byUrgency(pod.containers).map((container) => ({
      cells: containerCells(container, pod, page.nowMs, density),
      tone: stateTone(container),
    }));
  const timelines = timelinesOf(pod, page);
  const table = page.columns < TABLE_MIN_COLUMNS ? undefined : widestTable(rows, page);
  if (table === undefined) return list(rows("roomy"), timelines, page);
  return table.flatMap((line, index) => [line, ...(timelines[index - 1] ?? [])]);
}

const INDENT = "  ";

/** Below the row of each container that crash-loops: its runs and waits on one line. */
function timelinesOf({ containers, verdict }: PodExplanation, page: Page): string[][] {
  const ordered = byUrgency(containers);
  const shown = verdict === "crash-looping" ? ordered.filter(isInTrouble) : [];
  const lanes = shown.map((container) => laneOf(container, page.nowMs, page.times));
  const lines = timelineLines(lanes, page, page.columns - INDENT.length);
  return ordered.map((container) => {
    const line = lines[shown.indexOf(container)] ?? "";
    return line === "" ? [] : [INDENT + line];
  });
}

const DENSITIES: readonly Density[] = ["roomy", "plain", "tight", "tightest"];

function widestTable(rows: (density: Density) => Row[], page: Page): string[] | undefined {
  for (const density of DENSITIES) {
    const candidate = rows(density);
    if (tableWidth(candidate) <= page.columns) return draw(candidate, page);
  }
  return withShorterNames(rows("tightest"), page);
}

function withShorterNames(rows: readonly Row[], page: Page): string[] | undefined {
  const longest = Math.max(...rows.map(({ cells }) => displayWidth(cells.name + cells.role)));
  const room = longest - (tableWidth(rows) - page.columns);
  const shorter = rows.map(({ cells, tone }) => {
    return { cells: { ...cells, name: shorten(cells.name, room - cells.role.length) }, tone };
  });
  const isTooShort = shorter.some(({ cells }, index) => {
    return cells.name !== rows[index]?.cells.name && room - cells.role.length < NAME_MIN_COLUMNS;
  });
  return room < COLUMNS[0][1].length || isTooShort ? undefined : draw(shorter, page);
}

const GAP = "  ";

/** The columns that a table takes once it is drawn. Drawing takes far longer, and two of three drafts are too wide. */
function tableWidth(rows: readonly Row[]): number {
  const texts = rows.map(textsOf);
  const widths = COLUMNS.map(([key, heading]) =>
    Math.max(...[heading, ...texts.map((text) => text[key])].map(displayWidth)),
  );
  return widths.reduce((sum, width) => sum + width) + GAP.length * (COLUMNS.length - 1);
}

function textsOf({ cells }: Row): ContainerCells {
  return { ...cells, name: cells.name + cells.role };
}

const NO_BORDER = {
  top: "",
  "top-mid": "",
  "top-left": "",
  "top-right": "",
  bottom: "",
  "bottom-mid": "",
  "bottom-left": "",
  "bottom-right": "",
  left: "",
  "left-mid": "",
  mid: "",
  "mid-mid": "",
  right: "",
  "right-mid": "",
  middle: GAP,
};

function draw(rows: readonly Row[], page: Page): string[] {
  const table = new Table({
    head: COLUMNS.map(([, heading]) => paint(heading, "quiet", page.color)),
    chars: NO_BORDER,
    style: { "padding-left": 0, "padding-right": 0, head: [], border: [] },
  });
  for (const row of rows) {
    const shown = { ...textsOf(row), state: paint(row.cells.state, row.tone, page.color) };
    table.push(COLUMNS.map(([key]) => shown[key]));
  }
  return table
    .toString()
    .split("\n")
    .map((line) => line.trimEnd());
}

function list(rows: readonly Row[], timelines: readonly string[][], page: Page): string[] {
  const labelWidth = Math.max(...COLUMNS.map(([, heading]) => heading.length)) + 2;
  return rows.flatMap(({ cells }, index) => [
    ...(index === 0 ? [] : [""]),
    ...COLUMNS.filter(([key]) => cells[key] !== "-").flatMap(([key, heading]) =>
      labelled(heading, labelWidth, key === "name" ? cells.name + cells.role : cells[key], page),
    ),
    ...(timelines[index] ?? []),
  ]);
}
