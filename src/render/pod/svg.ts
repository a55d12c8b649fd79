import type { Explanation, PodExplanation } from "../../explain/answer/explanation.ts";
import { allHarmless } from "../page/harmless.ts";
import { type Page, pageOf, type RenderOptions } from "../page/page.ts";
import { counted } from "../page/paint.ts";
import { type Drawing, textDrawing } from "../page/picture.ts";
import { wrap } from "../page/width.ts";
import { element, toXml, type XmlElement } from "../page/xml.ts";
import { drawTimeline } from "../timeline/drawing.ts";
import { type LogTimes, timelineOf } from "../timeline/from-explanation.ts";
import { DRAWING_WIDTH, pictureOf } from "../timeline/picture.ts";
import type { Lane, Timeline } from "../timeline/timeline.ts";
import { answerOf, asOf } from "./answer.ts";

/** The explanation as one picture: per pod the answer, and its containers' runs and waits over time. */
export function renderSvg(explanation: Explanation, options: RenderOptions): string {
  const harmless = allHarmless(explanation);
  if (harmless.pods.length === 0) return "";
  const page = pageOf(harmless, options);
  const answers = harmless.pods.map((pod) => answerOf(pod, page));
  const words = {
    title: answers.map(({ headline }) => headline).join(" "),
    description: [
      `${asOf(harmless, page.times)}.`,
      ...answers.map(({ next }) => next).filter((next) => next !== ""),
      ...harmless.pods.map((pod) => describeTimeline(timelineOf(pod, page))),
    ].join(" "),
  };
  const drawings = harmless.pods.flatMap((pod) => [
    podWords(pod, page),
    drawTimeline(timelineOf(pod, page), DRAWING_WIDTH),
    SPACE,
  ]);
  return toXml(pictureOf(words, [...drawings, moment(harmless, page)]));
}

/** A pod's containers over time as a picture inside a page, which says the rest. */
export function podPicture(pod: PodExplanation, page: Page, log?: LogTimes): XmlElement {
  const timeline = timelineOf(pod, page, log);
  const words = { title: answerOf(pod, page).headline, description: describeTimeline(timeline) };
  return pictureOf(words, [drawTimeline(timeline, DRAWING_WIDTH)]);
}

const SPACE: Drawing = { parts: [], height: 20 };

const TITLE_COLUMNS = 88;
const LEAD_COLUMNS = 124;

function podWords(pod: PodExplanation, page: Page): Drawing {
  const { headline, next } = answerOf(pod, page);
  const lines = [
    ...wrap(headline, TITLE_COLUMNS).map((text) => ({ text, look: "title", height: 24, descent: 6 })),
    ...wrap(next, LEAD_COLUMNS).map((text) => ({ text, look: "lead", height: 20, descent: 6 })),
  ];
  return textDrawing(lines, 16);
}

function moment(explanation: Explanation, page: Page): Drawing {
  const text = `${asOf(explanation, page.times)}. Explained by kubectl backoff.`;
  return { parts: [element("text", { class: "label quiet", x: 0, y: 8 }, [text])], height: 8 };
}

/** What a picture shows, in sentences: one per lane. */
function describeTimeline({ lanes }: Timeline): string {
  return lanes.map(describeLane).join(" ");
}

function describeLane({
  name,
  role,
  twins,
  state,
  runs,
  waits,
  attempts,
  logLinesAtMs,
  next,
  reset,
  remark,
}: Lane): string {
  const unseen = runs.filter(({ basis }) => basis === "inferred").length;
  const lengths = waits.filter(({ basis }) => basis === "seen").map(({ label }) => label);
  const parts = [
    `${counted(runs.length - unseen, "run")} observed`,
    ...(unseen > 0 ? [`${counted(unseen, "run")} before that not observed`] : []),
    ...(lengths.length > 0 ? [`waits of ${lengths.slice(-5).join(", ")}`] : []),
    ...(attempts === null ? [] : [attempts.label]),
    ...(logLinesAtMs.length === 0 ? [] : [counted(logLinesAtMs.length, "log line")]),
    ...(next === null ? [] : [next.label]),
    ...(reset === null ? [] : [lowerFirst(reset.title)]),
    ...(remark === "" ? [] : [remark]),
  ];
  return `${[name + role, ...twins].join(", ")} (${state}): ${parts.join("; ")}.`;
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
