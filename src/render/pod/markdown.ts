import type { Explanation, PodExplanation } from "../../explain/answer/explanation.ts";
import { asOf } from "../page/as-of.ts";
import { allHarmless } from "../page/harmless.ts";
import { escapeInMarkdown as escaped, markdownTable } from "../page/markdown.ts";
import { type Page, pageOf, type RenderOptions } from "../page/page.ts";
import { capitalized } from "../page/paint.ts";
import { containerTable } from "./container-table.ts";
import { type AlikePods, alsoText, answerFor, fineSentence, jobSummary, podPages } from "./groups.ts";
import { briefLine, emptyLog, logsOf, logTitle, type ShownLog } from "./log-lines.ts";
import { commentOn } from "./next-steps.ts";
import { groundsOf, mainNotes } from "./notes.ts";

export function renderMarkdown(explanation: Explanation, options: RenderOptions): string {
  const harmless = allHarmless(explanation);
  const page = pageOf(harmless, options);
  const { pages, fine, jobs: alone } = podPages(harmless);
  const blocks = [...pages.flatMap((alike) => podBlocks(alike, page)), escaped(fineSentence(fine))];
  const jobs = alone.flatMap((job) => [`**${escaped(jobSummary(job, page))}**`, nextText(job)]);
  if (harmless.pods.length + jobs.length === 0) return "";
  const origin = escaped(`${asOf(harmless, page.times)}, by kubectl backoff.`);
  return `${[...jobs, ...blocks, origin].filter((block) => block !== "").join("\n\n")}\n`;
}

function podBlocks(alike: AlikePods, page: Page): string[] {
  const { pod } = alike;
  const { headline, next } = answerFor(alike, page);
  const also = alsoText(alike, page);
  const notes = mainNotes(pod, page, "shareable").map(
    ({ label, text }) => `- ${capitalized(label)}: ${escaped(page.times.text(text))}`,
  );
  return [
    [`**${escaped(headline)}**`, escaped(next)].join("\n"),
    notes.join("\n"),
    pod.containers.length === 0 ? "" : markdownTable(containerTable(pod, page.nowMs)).join("\n"),
    ...logsOf(pod).map((log) => logText(log, alike)),
    also && `Also ${escaped(also)}.`,
    nextText(pod),
    escaped(groundsOf(pod)),
  ].flatMap((text) => (text.trim() === "" ? [] : [text.trimEnd()]));
}

function logText(log: ShownLog, alike: AlikePods): string {
  const { lines } = log.logs;
  if (lines.length === 0) return `Log: ${escaped(emptyLog(log, alike.pod))}.`;
  return `${escaped(capitalized(logTitle(log, alike)))}:\n\n${fenced(
    "text",
    lines.map((line) => briefLine(line)),
  )}`;
}

function nextText({ nextSteps = [] }: Pick<PodExplanation, "nextSteps">): string {
  if (nextSteps.length === 0) return "";
  const lines = nextSteps.flatMap((step) => {
    const comment = commentOn(step);
    return [`# ${step.what}${comment && `; ${comment}`}`, step.command];
  });
  return `Next:\n\n${fenced("sh", lines)}`;
}

/** The fences are longer than any run of backticks in the lines, so no line can end the block. */
function fenced(language: string, lines: readonly string[]): string {
  const longest = Math.max(0, ...lines.flatMap((line) => (line.match(/`+/g) ?? []).map(({ length }) => length)));
  const fence = "`".repeat(Math.max(3, longest + 1));
  return [fence + language, ...lines, fence].join("\n");
}
