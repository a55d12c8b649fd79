import type { Explanation, PodExplanation, PodGroup } from "../../explain/answer/explanation.ts";
import { prose } from "../../explain/answer/prose.ts";
import { byUrgency } from "../../explain/triage.ts";
import { answerOf } from "../page/answer.ts";
import { asOf } from "../page/as-of.ts";
import { allHarmless, escapeInMarkdown as escaped } from "../page/harmless.ts";
import { type Page, pageOf, type RenderOptions } from "../page/page.ts";
import { capitalized, headingCase } from "../page/paint.ts";
import { containerCells, HEADINGS } from "./container-cells.ts";
import { briefLine, emptyLog, logsOf, logTitle, type ShownLog } from "./log-lines.ts";
import { commentOn } from "./next-steps.ts";
import { groundsOf, mainNotes } from "./notes.ts";

export function renderMarkdown(explanation: Explanation, options: RenderOptions): string {
  const harmless = allHarmless(explanation);
  const { pods, groups, failedJobs = [] } = harmless;
  const page = pageOf(harmless, options);
  const blocks = (groups ?? pods.map((_, index): PodGroup => ({ kind: "alike", members: [index] }))).flatMap(
    (group) => {
      const [lead, ...others] = group.members.flatMap((index) => pods[index] ?? []);
      if (lead === undefined) return [];
      if (group.kind === "fine") return [`Fine: ${namesOf([lead, ...others])}.`];
      return [...podBlocks(lead, page), ...(others.length > 0 ? [`Like this: ${namesOf(others)}.`] : [])];
    },
  );
  const jobs = failedJobs.flatMap((job) => {
    return [`**${escaped(page.times.text(prose`${job.namespace}/${job.summary}`))}**`, nextText(job)];
  });
  if (pods.length + jobs.length === 0) return "";
  const origin = escaped(`${asOf(harmless, page.times)}, by kubectl backoff.`);
  return `${[...jobs, ...blocks, origin].join("\n\n")}\n`;
}

function namesOf(pods: readonly PodExplanation[]): string {
  return pods.map(({ namespace, name }) => escaped(`${namespace}/${name}`)).join(", ");
}

function podBlocks(pod: PodExplanation, page: Page): string[] {
  const { headline, next } = answerOf(pod, page);
  const notes = mainNotes(pod, page, "shareable").map(
    ({ label, text }) => `- ${capitalized(label)}: ${escaped(page.times.text(text))}`,
  );
  return [
    [`**${escaped(headline)}**`, escaped(next)].join("\n"),
    notes.join("\n"),
    table(pod, page),
    ...logsOf(pod).map((log) => logText(log, pod)),
    nextText(pod),
    escaped(groundsOf(pod)),
  ].flatMap((text) => (text.trim() === "" ? [] : [text.trimEnd()]));
}

function table(pod: PodExplanation, page: Page): string {
  if (pod.containers.length === 0) return "";
  const row = (cells: readonly string[]): string => `| ${cells.map(escaped).join(" | ")} |`;
  const rows = byUrgency(pod.containers).map((container) => row(containerCells(container, pod, page.nowMs)));
  const heads = HEADINGS.map(headingCase);
  return [row(heads), `|${" --- |".repeat(heads.length)}`, ...rows].join("\n");
}

function logText(log: ShownLog, pod: PodExplanation): string {
  const { lines } = log.logs;
  if (lines.length === 0) return `Log: ${escaped(emptyLog(log, pod))}.`;
  return `${escaped(capitalized(logTitle(log, pod)))}:\n\n${fenced("text", lines.map(briefLine))}`;
}

function nextText({ nextSteps = [] }: Pick<PodExplanation, "nextSteps">): string {
  if (nextSteps.length === 0) return "";
  const lines = nextSteps.flatMap((step) => {
    const comment = commentOn(step);
    return [`# ${step.what}${comment && `; ${comment}`}`, step.command];
  });
  return `Next:\n\n${fenced("sh", lines)}`;
}

/** Puts lines between fences that are longer than any run of backticks in the lines. */
function fenced(language: string, lines: readonly string[]): string {
  const longest = Math.max(0, ...lines.flatMap((line) => (line.match(/`+/g) ?? []).map(({ length }) => length)));
  const fence = "`".repeat(Math.max(3, longest + 1));
  return [fence + language, ...lines, fence].join("\n");
}
