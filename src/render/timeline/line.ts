import { formatElapsed } from "../page/durations.ts";
import type { Page } from "../page/page.ts";
import { paint, type Tone } from "../page/paint.ts";
import { extentOf } from "./extent.ts";
import type { Lane, LaneRun } from "./timeline.ts";

const GLYPHS = {
  blank: { sign: " ", tone: "quiet", means: "" },
  up: { sign: "█", tone: "good", means: "up" },
  brief: { sign: "▌", tone: "good", means: "up briefly" },
  failed: { sign: "×", tone: "bad", means: "start failed" },
  down: { sign: "▁", tone: "bad", means: "down" },
  unseen: { sign: "·", tone: "quiet", means: "not observed" },
  now: { sign: "|", tone: "title", means: "now" },
  ahead: { sign: "─", tone: "quiet", means: "wait" },
  next: { sign: "░", tone: "uneasy", means: "next restart" },
} as const satisfies Record<string, { sign: string; tone: Tone; means: string }>;

type Stretch = keyof typeof GLYPHS;

const LEAST_COLUMNS = 20;

/** All lines have the same scale. The line of a lane with fewer than two runs is "". */
export function timelineLines(all: readonly Lane[], page: Page, columns: number) {
  const { nowMs } = page;
  const none = { lines: all.map(() => ""), legend: "" };
  const lanes = all.filter(({ runs }) => runs.length > 1);
  if (lanes.length === 0) return none;
  const startMs = extentOf({ lanes, nowMs }).detailFromMs;
  const fromMs = Math.max(startMs, Math.min(...lanes.map(({ runs }) => runs[0]?.startMs ?? nowMs)));
  const toMs = Math.max(nowMs, ...lanes.map(({ next }) => next?.toMs ?? nowMs));
  // With --at, now may be before all runs.
  if (fromMs > nowMs) return none;
  const left = `-${formatElapsed(nowMs - fromMs)} `;
  const right = toMs > nowMs ? ` +${formatElapsed(toMs - nowMs)}` : "";
  const cells = columns - left.length - right.length;
  if (cells < LEAST_COLUMNS) return none;
  const scale = { fromMs, nowMs, toMs: Math.max(nowMs + 1, toMs), cells };
  const drawn = all.map((lane) => (lanes.includes(lane) ? stretchesIn(lane, scale) : []));
  const quiet = (text: string): string => paint(text, "quiet", page.color);
  return {
    lines: drawn.map((stretches) =>
      stretches.length === 0 ? "" : quiet(left) + painted(stretches, page.color) + quiet(right),
    ),
    legend: legendOf(new Set(drawn.flat())),
  };
}

function legendOf(shown: ReadonlySet<Stretch>): string {
  const kinds = (Object.keys(GLYPHS) as Stretch[]).filter((kind) => shown.has(kind) && GLYPHS[kind].means !== "");
  return kinds.map((kind) => `${GLYPHS[kind].sign} ${GLYPHS[kind].means}`).join(", ");
}

interface Scale {
  readonly fromMs: number;
  readonly nowMs: number;
  readonly toMs: number;
  readonly cells: number;
}

function stretchesIn(lane: Lane, scale: Scale): Stretch[] {
  const stretches = stretchesOf(lane, scale);
  // If the cell "now" covers the whole time in which the next restart may be, the cell after "now" becomes "next".
  if (lane.next === null || stretches.includes("next")) return stretches;
  const isLast = stretches.at(-1) === "now";
  const afterNow = isLast ? stretchesOf(lane, { ...scale, toMs: scale.nowMs + 1, cells: scale.cells - 1 }) : stretches;
  return isLast ? [...afterNow, "next"] : afterNow.with(stretches.indexOf("now") + 1, "next");
}

function stretchesOf(lane: Lane, { fromMs, nowMs, toMs, cells }: Scale): Stretch[] {
  const stepMs = (toMs - fromMs) / cells;
  return Array.from({ length: cells }, (_, index) => {
    const startMs = fromMs + index * stepMs;
    const endMs = startMs + stepMs;
    if (startMs <= nowMs && nowMs < endMs) return "now";
    return startMs < nowMs ? pastStretch(lane, startMs, endMs) : nextStretch(lane, startMs, endMs);
  });
}

/** An unobserved run does not count as up, because its times are only estimated. */
function pastStretch({ runs, waits }: Lane, fromMs: number, toMs: number): Stretch {
  if (toMs <= (runs[0]?.startMs ?? 0)) return "blank";
  const seen = runs.filter(({ basis }) => basis === "observed");
  const upMs = seen.reduce(
    (sum, run) => sum + Math.max(0, Math.min(run.endMs, toMs) - Math.max(run.startMs, fromMs)),
    0,
  );
  if (upMs * 2 >= toMs - fromMs) return "up";
  const brief = seen.filter((run) => isBriefIn(run, fromMs, toMs));
  if (brief.length > 0) return brief.every(({ end }) => end === "never-ran") ? "failed" : "brief";
  const middleMs = (fromMs + toMs) / 2;
  const isKnown = waits.some((wait) => wait.basis === "observed" && wait.startMs <= middleMs && wait.endMs >= middleMs);
  return isKnown || isAfterLastRun(runs, middleMs) ? "down" : "unseen";
}

function isBriefIn({ startMs, endMs }: LaneRun, fromMs: number, toMs: number): boolean {
  const middleMs = (startMs + endMs) / 2;
  return endMs - startMs < toMs - fromMs && middleMs >= fromMs && middleMs < toMs;
}

/** If the last run was not observed, it is unknown when that run ended. */
function isAfterLastRun(runs: Lane["runs"], atMs: number): boolean {
  return runs.at(-1)?.basis === "observed" && runs.every(({ endMs }) => endMs <= atMs);
}

function nextStretch({ next }: Lane, fromMs: number, toMs: number): Stretch {
  if (next === null || fromMs >= next.toMs) return "blank";
  return next.fromMs < toMs ? "next" : "ahead";
}

function painted(stretches: readonly Stretch[], color: boolean): string {
  const groups: { readonly kind: Stretch; text: string }[] = [];
  for (const kind of stretches) {
    const { sign } = GLYPHS[kind];
    const last = groups.at(-1);
    if (last?.kind === kind) last.text += sign;
    else groups.push({ kind, text: sign });
  }
  return groups.map(({ kind, text }) => paint(text, GLYPHS[kind].tone, color)).join("");
}
