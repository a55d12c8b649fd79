import type { Explanation, PodExplanation } from "../../explain/answer/explanation.ts";
import { answerOf } from "../page/answer.ts";
import { asOf } from "../page/as-of.ts";
import { allHarmless } from "../page/harmless.ts";
import { type Page, pageOf, type RenderOptions } from "../page/page.ts";
import { counted } from "../page/paint.ts";
import { type Drawing, headingOf } from "../page/picture.ts";
import { element, toXml, type XmlElement } from "../page/xml.ts";
import { drawTimeline } from "../timeline/drawing.ts";
import { type LogTimes, timelineOf } from "../timeline/from-explanation.ts";
import { pictureOf } from "../timeline/picture.ts";
import type { Lane, Timeline } from "../timeline/timeline.ts";

export function renderSvg(explanation: Explanation, options: RenderOptions): string {
  const harmless = allHarmless(explanation);
  const { pods } = harmless;
  if (pods.length === 0) return "";
  const page = pageOf(harmless, options);
  const moment = `${asOf(harmless, page.times)}.`;
  const shown = pods.map((pod) => ({ answer: answerOf(pod, page), timeline: timelineOf(pod, page) }));
  const nexts = shown.flatMap(({ answer: { next } }) => (next === "" ? [] : [next]));
  const title = shown.map(({ answer }) => answer.headline).join(" ");
  const description = [moment, ...nexts, ...shown.map(({ timeline }) => describeTimeline(timeline))].join(" ");
  const drawings = shown.flatMap(({ answer, timeline }) => [
    headingOf(answer.headline, answer.next),
    drawTimeline(timeline),
    SPACE,
  ]);
  const origin = element("text", { class: "label quiet", x: 0, y: 8 }, [`${moment} Explained by kubectl backoff.`]);
  return toXml(pictureOf({ title, description }, [...drawings, { parts: [origin], height: 8 }]));
}

export function podPicture(pod: PodExplanation, page: Page, log?: LogTimes): XmlElement {
  const timeline = timelineOf(pod, page, log);
  const words = { title: answerOf(pod, page).headline, description: describeTimeline(timeline) };
  return pictureOf(words, [drawTimeline(timeline)]);
}

const SPACE: Drawing = { parts: [], height: 20 };

function describeTimeline({ lanes }: Timeline): string {
  return lanes.map(describeLane).join(" ");
}

function describeLane(lane: Lane): string {
  const { name, role, state, runs, waits, attempts, logLinesAtMs, next, reset, remark } = lane;
  const unseen = runs.filter(({ basis }) => basis === "inferred").length;
  const lengths = waits.flatMap(({ basis, label }) => (basis === "observed" && label !== "" ? [label] : []));
  const parts = [
    `${counted(runs.length - unseen, "run")} observed`,
    ...(unseen > 0 ? [`${counted(unseen, "run")} before that not observed`] : []),
    ...(lengths.length > 0 ? lengths.slice(-5) : []),
    ...(attempts === null ? [] : [attempts.label]),
    ...(logLinesAtMs.length === 0 ? [] : [counted(logLinesAtMs.length, "log line")]),
    ...(next === null ? [] : [next.label]),
    ...(reset === null ? [] : [reset.title.charAt(0).toLowerCase() + reset.title.slice(1)]),
    ...(remark === "" ? [] : [remark]),
  ];
  return `${name}${role} (${state}): ${parts.join("; ")}.`;
}
