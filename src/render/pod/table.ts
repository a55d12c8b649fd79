import type { ContainerExplanation, Explanation, FailedJob, PodExplanation } from "../../explain/answer/explanation.ts";
import { byUrgency, isFailing } from "../../explain/triage.ts";
import { momentLines } from "../page/as-of.ts";
import { cellText, type Table, tableLines, tableWidth, widestFitting } from "../page/columns.ts";
import { roleSuffix } from "../page/container-words.ts";
import { formatWindow } from "../page/durations.ts";
import { allHarmless } from "../page/harmless.ts";
import { labelled, type Page, pageOf, pageText, type RenderOptions, stacked } from "../page/page.ts";
import { paint } from "../page/paint.ts";
import { displayWidth, shorten, wrap } from "../page/width.ts";
import { laneOf } from "../timeline/from-explanation.ts";
import { timelineLines } from "../timeline/line.ts";
import { containerTable, DENSITIES } from "./container-table.ts";
import {
  type AlikePods,
  alsoText,
  answerFor,
  fineSentence,
  jobSummary,
  leftOutSentence,
  podPages,
  totals,
} from "./groups.ts";
import { logBlock } from "./log-lines.ts";
import { nextBlock } from "./next-steps.ts";
import { groundsOf, mainNotes, notesInLines } from "./notes.ts";

const MOST_WITHOUT_TOTALS = 3;
const VERDICT_WORDS = /CrashLoopBackOff|can't start|has failed|failed at|was evicted/;

export function renderTable(explanation: Explanation, options: RenderOptions): string {
  return renderPods(explanation, options, ({ pod, ...alike }, page) => {
    const last = `${groundsOf(pod)} Details: -o wide`.trimStart();
    return [...podBlock({ pod, ...alike }, page), "", ...wrap(last, page.columns)];
  });
}

export function renderPods(explanation: Explanation, options: RenderOptions, blockOf: typeof podBlock): string {
  const harmless = allHarmless(explanation);
  const page = pageOf(harmless, options);
  const { pods } = harmless;
  const { pages, fine, jobs: alone } = podPages(harmless);
  const blocks = pages.map((alike) => blockOf(alike, page));
  const others = [fineSentence(fine), leftOutSentence(harmless)].map((sentence) => wrap(sentence, page.columns));
  if (pods.length > MOST_WITHOUT_TOTALS && pages.length + Number(fine.length > 0) > 1)
    blocks.unshift(
      wrap(
        totals(pods, (start) => formatWindow(start, page.nowMs)),
        page.columns,
      ),
    );
  const moment = momentLines(harmless, page.times, page.columns);
  const jobs = alone.map((job) => jobBlock(job, page));
  return pods.length + jobs.length === 0 ? "" : pageText([moment, ...jobs, ...blocks, ...others]);
}

function jobBlock(job: FailedJob, page: Page): string[] {
  const summary = wrap(jobSummary(job, page), page.columns);
  return stacked([summary.map((line) => paint(line, "title", page.color)), nextBlock(job, page)]);
}

export function podBlock(alike: AlikePods, page: Page): string[] {
  const { pod } = alike;
  const answer = answerFor(alike, page);
  const also = alsoText(alike, page);
  const headline = wrap(answer.headline, page.columns).map((line) => {
    const marked = line.replace(VERDICT_WORDS, (words) => paint(words, "bad", page.color));
    return paint(marked, "title", page.color);
  });
  return stacked([
    [...headline, ...wrap(answer.next, page.columns)],
    notesInLines(mainNotes(pod, page), page),
    containerLines(pod, page),
    [...logBlock(alike, page), ...(also === "" ? [] : labelled("Also", also, page))],
    nextBlock(pod, page),
  ]);
}

const TABLE_MIN_COLUMNS = 60;

/** In columns. Assumed: users cannot distinguish containers by names that are cut below this width. */
const NAME_MIN_COLUMNS = 7;

function containerLines(pod: PodExplanation, page: Page): string[] {
  const containers = byUrgency(pod.containers);
  if (containers.length === 0) return [];
  const { timelines, legend } = timelinesOf(containers, pod, page);
  const table = page.columns < TABLE_MIN_COLUMNS ? undefined : widestTable(containers, pod, page);
  if (table !== undefined) {
    const lines = tableLines(table, page.color, "words");
    return [...lines.flatMap((line, index) => [line, ...(timelines[index - 1] ?? [])]), ...legend];
  }
  const { headings, rows } = containerTable(pod, page.nowMs);
  const labelWidth = Math.max(...headings.map((heading) => heading.length)) + 2;
  const lists = rows.map((row, index) => {
    const cells = row.map(cellText).flatMap((cell, column) => {
      return cell === "-" ? [] : labelled(headings[column] ?? "", cell, page, labelWidth);
    });
    return [...cells, ...(timelines[index] ?? [])];
  });
  return [...stacked(lists), ...legend];
}

const INDENT = "  ";

function timelinesOf(containers: readonly ContainerExplanation[], { verdict }: PodExplanation, page: Page) {
  const shown = verdict === "crash-looping" ? containers.filter(isFailing) : [];
  const lanes = shown.map((container) => laneOf(container, page));
  const { lines, legend } = timelineLines(lanes, page, page.columns - INDENT.length);
  const timelines = containers.map((container) => {
    const line = lines[shown.indexOf(container)] ?? "";
    return line === "" ? [] : [INDENT + line];
  });
  const explained = wrap(legend, page.columns - INDENT.length).map((line) => INDENT + paint(line, "quiet", page.color));
  return { timelines, legend: explained };
}

function widestTable(containers: readonly ContainerExplanation[], pod: PodExplanation, page: Page): Table | undefined {
  const drafts = DENSITIES.map((density) => containerTable(pod, page.nowMs, density));
  return widestFitting(drafts, page.columns) ?? withShorterNames(containers, drafts.at(-1), page.columns);
}

function withShorterNames(containers: readonly ContainerExplanation[], table: Table | undefined, columns: number) {
  if (table === undefined) return undefined;
  const longest = Math.max(...containers.map((container) => displayWidth(container.name + roleSuffix(container))));
  const room = longest - (tableWidth(table) - columns);
  const names = containers.map((container) => {
    const role = roleSuffix(container);
    const width = room - role.length;
    const isReadable = width >= NAME_MIN_COLUMNS || displayWidth(container.name) <= width;
    return isReadable ? shorten(container.name, width) + role : "";
  });
  if (room < (table.headings[0] ?? "").length || names.includes("")) return undefined;
  return { ...table, rows: table.rows.map((row, index) => row.with(0, names[index] ?? "")) };
}
