import type { Explanation, FailedJob, PodExplanation } from "../../explain/answer/explanation.ts";
import { type Prose, partsOf } from "../../explain/answer/prose.ts";
import { utcText } from "../json/json-values.ts";
import { asOf, isChosenMoment } from "../page/as-of.ts";
import { allHarmless } from "../page/harmless.ts";
import { COPY_SCRIPT, commandBlock, htmlPage, htmlTable } from "../page/html-page.ts";
import { type Page, pageOf, type RenderOptions } from "../page/page.ts";
import { capitalized, headingCase } from "../page/paint.ts";
import { element, type XmlChild, type XmlElement } from "../page/xml.ts";
import type { LogTimes } from "../timeline/from-explanation.ts";
import { containerTable } from "./container-table.ts";
import { type AlikePods, alsoText, answerFor, fineSentence, jobSummary, podPages, totals } from "./groups.ts";
import { countdowns } from "./html-countdowns.ts";
import { type ClockKind, LIVE_SCRIPT } from "./html-script.ts";
import { briefLine, emptyLog, logsOf, logTitle, type ShownLog } from "./log-lines.ts";
import { commentOn } from "./next-steps.ts";
import { mainNotes, type Note, podNotes } from "./notes.ts";
import { podPicture } from "./svg.ts";

interface MoreOfPage {
  readonly body: readonly XmlElement[];
  readonly styles: string;
  readonly log?: LogTimes;
}

export function renderHtml(
  explanation: Explanation,
  options: RenderOptions,
  more: MoreOfPage = { body: [], styles: "" },
): string {
  const harmless = allHarmless(explanation);
  const { pods } = harmless;
  const { pages, fine, jobs } = podPages(harmless);
  const [first] = pages;
  const page = pageOf(harmless, options);
  const [job] = jobs;
  const clock = isChosenMoment(harmless) ? "chosen" : "real";
  const failure = job === undefined ? "" : jobSummary(job, page);
  const isOne = pages.length + fine.length <= 1;
  // The script counts down in the sections of pods, but not in the title of several pods.
  const many = () => totals(pods, ({ notBeforeMs, likelyByMs }) => `at ${page.times.span(notBeforeMs, likelyByMs)}`);
  const title = !isOne ? many() : first === undefined ? failure : answerFor(first, page).headline;
  if (title === "") return "";
  const origin = `${asOf(harmless, page.times)}. Explained by kubectl backoff.`;
  return htmlPage({
    title,
    styles: STYLES + more.styles,
    scripts: [LIVE_SCRIPT, COPY_SCRIPT],
    body: [
      ...(isOne ? [] : [element("h1", {}, [title])]),
      ...jobs.map((one) => jobSection(one, page, pods.length === 0 ? 1 : 2)),
      ...pages.map((alike) => podSection(alike, page, clock, isOne ? 1 : 2, more.log)),
      ...(fine.length === 0 ? [] : [element("p", {}, [fineSentence(fine)])]),
      ...more.body,
      element("footer", { class: "quiet" }, [element("p", {}, [origin])]),
    ],
  });
}

const STYLES = `
.pod + .pod { margin-top: 4rem; }
.lead { font-size: 1.1rem; }
.countdowns { display: flex; flex-wrap: wrap; gap: 1rem; margin: 1.25rem 0; }
.countdown {
  flex: 1 1 18rem; padding: 1rem 1.25rem; background: var(--panel);
  border: 1px solid var(--line); border-left: 4px solid var(--uneasy); border-radius: 6px;
}
.countdown.reset { border-left-color: var(--good); }
.countdown.over { border-left-color: var(--accent); }
.countdown p { margin: 0; }
.countdown .shown { font-size: 1.75rem; line-height: 1.3; font-weight: 600; font-variant-numeric: tabular-nums; }
.countdown.over .shown { font-size: 1.1rem; line-height: 1.5; }
.countdown .quiet { font-size: 0.85rem; }
figure { margin: 1.25rem 0; overflow-x: auto; border: 1px solid var(--line); border-radius: 6px; }
figure svg { display: block; min-width: 46rem; width: 100%; }
.item:hover { filter: brightness(1.15); }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.35rem 1.5rem; margin: 0.75rem 0; }
dt { color: var(--quiet); }
dd { margin: 0; overflow-wrap: anywhere; }
ol, ul { margin: 0.75rem 0; padding-left: 1.4rem; }
li { margin: 0.2rem 0; overflow-wrap: anywhere; }
.step p { margin: 0.75rem 0 0; }
footer { margin-top: 3rem; border-top: 1px solid var(--line); font-size: 0.85rem; }
@media print {
  .countdown, figure { border-color: var(--quiet); }
}
@media (max-width: 40rem) {
  dl { grid-template-columns: 1fr; gap: 0 1.5rem; }
  dd { margin-bottom: 0.5rem; }
  .containers thead { display: none; }
  .containers tr { display: block; padding: 0.6rem 0; border-bottom: 1px solid var(--line); }
  .containers th, .containers td { display: grid; grid-template-columns: 7rem 1fr; border: 0; padding: 0.1rem 0; }
  .containers th { grid-template-columns: 1fr; }
  .containers td::before { content: attr(data-label); color: var(--quiet); }
}
`;

function podSection(alike: AlikePods, page: Page, clock: ClockKind, level: 1 | 2, log?: LogTimes): XmlElement {
  const { pod } = alike;
  const { headline, next } = answerFor(alike, page);
  const also = alsoText(alike, page);
  const below = `h${level + 1}`;
  const details = podNotes(pod);
  const only = (...labels: string[]) => details.filter(({ label }) => labels.includes(label));
  const hasContainers = pod.containers.length > 0;
  const gaps = only("gap").map(({ text }) => page.times.text(text));
  const then = `As of ${page.times.instant(page.nowMs)}, `;
  const moment = { "data-at": `${page.nowMs}`, "data-clock": clock, "data-then": then };
  return element("section", { class: "pod", ...moment }, [
    element(`h${level}`, {}, [headline]),
    ...(next === "" ? [] : [element("p", { class: "lead" }, [next])]),
    ...countdowns(pod, page, clock),
    ...definitions(
      mainNotes(pod, page, "shareable").filter(({ label }) => label !== "Gap"),
      page,
    ),
    ...logsOf(pod).flatMap((shown) => logSection(below, shown, alike)),
    ...(hasContainers ? [tableOf(pod, page)] : []),
    ...(also === "" ? [] : [element("p", {}, [`Also ${also}.`])]),
    ...(hasContainers ? [element("figure", {}, [podPicture(pod, page, log)])] : []),
    ...titled(below, "Next", nextSteps(pod)),
    ...titled(below, "Why", definitions(only("Crash", "Exit", "why", "back-off"), page)),
    ...titled(below, "What the kubelet's next sync does", listOf("ol", pod.plan)),
    ...titled(below, "Evidence", definitions(only("observed", "inferred", "assumed"), page)),
    ...titled(below, "Missing data", listOf("ul", gaps)),
  ]);
}

function jobSection(job: FailedJob, page: Page, level: 1 | 2): XmlElement {
  const steps = titled(`h${level + 1}`, "Next", nextSteps(job));
  return element("section", { class: "pod" }, [element(`h${level}`, {}, [jobSummary(job, page)]), ...steps]);
}

function titled(level: string, title: string, content: readonly XmlElement[]): XmlElement[] {
  return content.length === 0 ? [] : [element("section", {}, [element(level, {}, [title]), ...content])];
}

function logSection(level: string, log: ShownLog, alike: AlikePods): XmlElement[] {
  const { lines } = log.logs;
  if (lines.length === 0)
    return titled(level, "Log", [element("p", {}, [`${capitalized(emptyLog(log, alike.pod))}.`])]);
  return titled(level, capitalized(logTitle(log, alike)), [
    element("pre", {}, [lines.map((line) => briefLine(line)).join("\n")]),
  ]);
}

function nextSteps({ nextSteps: steps = [] }: Pick<PodExplanation, "nextSteps">): XmlElement[] {
  return steps.map((step) => {
    const comment = commentOn(step);
    const shown = comment === "" ? capitalized(step.what) : `${capitalized(step.what)} (${comment})`;
    return element("div", { class: "step" }, [element("p", {}, [shown]), commandBlock(step.command)]);
  });
}

function definitions(notes: readonly Note[], page: Page): XmlElement[] {
  const items = notes.flatMap(({ label, text }) => [
    element("dt", {}, [label]),
    element("dd", {}, markedUp(text, page)),
  ]);
  return items.length === 0 ? [] : [element("dl", {}, items)];
}

function markedUp(text: Prose, { times }: Page): XmlChild[] {
  return partsOf(text).map((part) =>
    typeof part === "string" ? part : element("time", { datetime: utcText(part.atMs) }, [times.instant(part.atMs)]),
  );
}

function listOf(name: "ol" | "ul", texts: readonly string[]): XmlElement[] {
  const items = texts.map((text) => element("li", {}, [text]));
  return items.length === 0 ? [] : [element(name, {}, items)];
}

function tableOf(pod: PodExplanation, { nowMs }: Page): XmlElement {
  const { headings, rows } = containerTable(pod, nowMs);
  const cells = rows.map((row) =>
    row.map((cell) => (typeof cell === "string" ? cell : element("span", { class: cell.tone }, [cell.text]))),
  );
  return htmlTable(headings.map(headingCase), cells, { class: "containers" });
}
