import type { Drawing } from "../page/picture.ts";
import { element, type XmlElement } from "../page/xml.ts";
import { DRAWING_WIDTH, labelWidth } from "./picture.ts";
import type { LaneRun, LaneWait, Timeline } from "./timeline.ts";

const SYMBOL_WIDTH = 20;
const RAMP = `M0 0L${SYMBOL_WIDTH} 12L0 12Z`;

const ROW_HEIGHT = 20;

export function drawLegend(timeline: Timeline): Drawing {
  let [x, y] = [0, 0];
  const parts = entriesOf(timeline).map(({ text, symbol }) => {
    const length = SYMBOL_WIDTH + 6 + labelWidth(text);
    if (x + length > DRAWING_WIDTH) [x, y] = [0, y + ROW_HEIGHT];
    const at = `translate(${Math.round(x)} ${y})`;
    x += length + 16;
    const words = element("text", { class: "label quiet", x: SYMBOL_WIDTH + 6, y: 10 }, [text]);
    return element("g", { transform: at }, [...symbol, words]);
  });
  return { parts, height: y + ROW_HEIGHT };
}

function entriesOf({ lanes }: Timeline) {
  const runs = lanes.flatMap((lane) => lane.runs);
  const waits = lanes.flatMap((lane) => lane.waits);
  const isInferred = ({ basis }: LaneRun | LaneWait): boolean => basis === "inferred";
  const unseen = runs.some(isInferred) ? "not observed (positions estimated)" : "waiting (inferred)";
  const all: readonly (readonly [isUsed: boolean, text: string, symbol: readonly XmlElement[]])[] = [
    [runs.some((run) => !isInferred(run) && run.end !== "never-ran"), "up", [box("run")]],
    [runs.some(({ end }) => end === "failed" || end === "never-ran"), "failed", [bar("end")]],
    [lanes.some(({ attempts }) => attempts !== null), "failed attempt (first, last reported)", [bar("end")]],
    [[...runs, ...waits].some(isInferred), unseen, [box("run unseen")]],
    [lanes.some(({ logLinesAtMs }) => logLinesAtMs.length > 0), "log line", [bar("log-line")]],
    [waits.some((wait) => !isInferred(wait)), "waiting (height: time left)", [ramp("spent"), ramp("wait")]],
    [
      waits.some(({ crashLoopBackOffMs }) => crashLoopBackOffMs !== null),
      "kubectl shows CrashLoopBackOff",
      [box("word", 4, 3)],
    ],
    [lanes.some(({ next }) => next !== null), "next start (95%)", [box("next")]],
    [waits.some(({ wouldEndMs }) => wouldEndMs !== null), "skipped: back-off resets", [ramp("wait cut dashed")]],
    [lanes.some(({ reset }) => reset !== null), "back-off resets", [bar("reset dashed end")]],
  ];
  return all.flatMap(([isUsed, text, symbol]) => (isUsed ? [{ text, symbol }] : []));
}

function bar(look: string): XmlElement {
  return element("line", { class: look, x1: SYMBOL_WIDTH / 2, y1: -1, x2: SYMBOL_WIDTH / 2, y2: 13 });
}

function box(look: string, y = 0, height = 12): XmlElement {
  return element("rect", { class: look, x: 0, y, width: SYMBOL_WIDTH, height });
}

function ramp(look: string): XmlElement {
  return element("path", { class: look, d: RAMP });
}
