import { formatElapsed } from "../durations.ts";
import type { Page } from "../page.ts";
import { paint, type Tone } from "../paint.ts";
import { extentOf } from "./extent.ts";
import type { Lane } from "./timeline.ts";

/** What a stretch of time is drawn with, in Unicode and in ASCII, and in which tone. */
const GLYPHS = {
  up: { unicode: "█", ascii: "#", tone: "good" },
  unseen: { unicode: "▒", ascii: "+", tone: "quiet" },
  down: { unicode: "▁", ascii: "_", tone: "bad" },
  now: { unicode: "|", ascii: "|", tone: "title" },
  next: { unicode: "░", ascii: "=", tone: "uneasy" },
} as const satisfies Record<string, { unicode: string; ascii: string; tone: Tone }>;

type Stretch = keyof typeof GLYPHS;

/** With fewer columns than these a line shows nothing. */
const LEAST_COLUMNS = 20;

/**
 * A lane in one line of text: runs and waits to scale, the moment now, and the window of the next start; then how far back it
 * goes. Empty without two runs or without room.
 */
export function timelineLine(lane: Lane, page: Page, columns: number): string {
  const { nowMs } = page;
  const startMs = extentOf({ lanes: [lane], nowMs, clock: { kind: "elapsed" } }).detailFromMs;
  const fromMs = Math.max(startMs, lane.runs[0]?.startMs ?? nowMs);
  const legend = `  last ${formatElapsed(nowMs - fromMs)}`;
  const cells = columns - legend.length;
  if (lane.runs.length < 2 || cells < LEAST_COLUMNS) return "";
  const stretches = stretchesOf(lane, nowMs, [fromMs, Math.max(nowMs + 1, lane.next?.toMs ?? nowMs)], cells);
  // A window that is all but over is less than a cell, which then is the one of now.
  const isHidden = lane.next !== null && !stretches.includes("next");
  const shown = isHidden ? [...stretchesOf(lane, nowMs, [fromMs, nowMs + 1], cells - 1), "next" as const] : stretches;
  return painted(shown, page) + paint(legend, "quiet", page.color);
}

function stretchesOf(lane: Lane, nowMs: number, [fromMs, toMs]: readonly [number, number], cells: number): Stretch[] {
  const stepMs = (toMs - fromMs) / cells;
  return Array.from({ length: cells }, (_, index) =>
    stretchAt(lane, nowMs, fromMs + index * stepMs, fromMs + (index + 1) * stepMs),
  );
}

/** Of all that happens between two instants, what must not go missing. */
function stretchAt({ runs, next }: Lane, nowMs: number, fromMs: number, toMs: number): Stretch {
  if (fromMs <= nowMs && nowMs < toMs) return "now";
  const within = runs.filter((run) => run.startMs < toMs && (run.endMs > fromMs || run.startMs >= fromMs));
  if (within.some(({ basis }) => basis === "seen")) return "up";
  if (within.length > 0) return "unseen";
  return next !== null && next.fromMs < toMs && next.toMs > fromMs ? "next" : "down";
}

function painted(stretches: readonly Stretch[], { unicode, color }: Page): string {
  const groups: { readonly kind: Stretch; text: string }[] = [];
  for (const kind of stretches) {
    const glyph = unicode ? GLYPHS[kind].unicode : GLYPHS[kind].ascii;
    const last = groups.at(-1);
    if (last?.kind === kind) last.text += glyph;
    else groups.push({ kind, text: glyph });
  }
  return groups.map(({ kind, text }) => paint(text, GLYPHS[kind].tone, color)).join("");
}
