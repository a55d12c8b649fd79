import { displayWidth } from "../page/width.ts";
import { element, type XmlElement } from "../page/xml.ts";
import type { Lane, Timeline } from "./timeline.ts";

interface Entry {
  readonly text: string;
  readonly symbol: readonly XmlElement[];
}

const SYMBOL_WIDTH = 20;
const COLUMN_WIDTH = 6.3;
const RAMP = `M0 0L${SYMBOL_WIDTH} 12L0 12Z`;

const ROW_HEIGHT = 20;

/** What the shapes of this picture mean, in rows as wide as `width`; only those that are in it. */
export function drawLegend(timeline: Timeline, width: number): { parts: XmlElement[]; height: number } {
  let [x, y] = [0, 0];
  const parts = entriesOf(timeline).map(({ text, symbol }) => {
    const length = SYMBOL_WIDTH + 6 + displayWidth(text) * COLUMN_WIDTH;
    if (x + length > width) [x, y] = [0, y + ROW_HEIGHT];
    const at = `translate(${Math.round(x)} ${y})`;
    x += length + 16;
    const words = element("text", { class: "label quiet", x: SYMBOL_WIDTH + 6, y: 10 }, [text]);
    return element("g", { transform: at }, [...symbol, words]);
  });
  return { parts, height: y + ROW_HEIGHT };
}

function entriesOf({ lanes }: Timeline): Entry[] {
  const runs = lanes.flatMap((lane) => lane.runs);
  const waits = lanes.flatMap((lane) => lane.waits);
  const box = { x: 0, y: 0, width: SYMBOL_WIDTH, height: 12 };
  const all: (Entry & { readonly isUsed: boolean })[] = [
    {
      text: "up",
      isUsed: runs.some((run) => run.basis === "seen"),
      symbol: [element("rect", { class: "run", ...box })],
    },
    { text: "failed", isUsed: runs.some((run) => run.end === "failed"), symbol: [bar("end")] },
    {
      text: runs.some(({ basis }) => basis === "inferred")
        ? "not observed (positions estimated)"
        : "waiting (inferred)",
      isUsed: [...runs, ...waits].some(({ basis }) => basis === "inferred"),
      symbol: [element("rect", { class: "run unseen", ...box })],
    },
    {
      text: "waiting (height: time left)",
      isUsed: waits.some((wait) => wait.basis === "seen"),
      symbol: ["spent", "wait"].map((look) => element("path", { class: look, d: RAMP })),
    },
    {
      text: "kubectl shows CrashLoopBackOff",
      isUsed: waits.some(({ shownMs = null }) => shownMs !== null),
      symbol: [element("rect", { class: "word", x: 0, y: 4, width: SYMBOL_WIDTH, height: 3 })],
    },
    {
      text: `${nextWords(lanes)} (95%)`,
      isUsed: lanes.some(({ next }) => next !== null),
      symbol: [element("rect", { class: "next", ...box })],
    },
    {
      text: "skipped: back-off resets",
      isUsed: waits.some((wait) => wait.wouldEndMs !== null),
      symbol: [element("path", { class: "wait cut dashed", d: RAMP })],
    },
    { text: "back-off resets", isUsed: lanes.some(({ reset }) => reset !== null), symbol: [bar("reset dashed end")] },
  ];
  return all.filter(({ isUsed }) => isUsed);
}

function nextWords(lanes: readonly Lane[]): string {
  const whats = new Set(lanes.flatMap(({ next }) => (next === null ? [] : [next.what])));
  return whats.size === 1 ? ([...whats][0] ?? "") : "next restart";
}

function bar(look: string): XmlElement {
  return element("line", { class: look, x1: SYMBOL_WIDTH / 2, y1: -1, x2: SYMBOL_WIDTH / 2, y2: 13 });
}
