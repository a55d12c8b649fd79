import { formatElapsed } from "../page/durations.ts";
import type { Page } from "../page/page.ts";
import { paint, type Tone } from "../page/paint.ts";
import { extentOf } from "./extent.ts";
import type { Lane } from "./timeline.ts";

const GLYPHS = {
  before: { unicode: " ", ascii: " ", tone: "quiet" },
  up: { unicode: "█", ascii: "#", tone: "good" },
  unseen: { unicode: "▒", ascii: "+", tone: "quiet" },
  down: { unicode: "▁", ascii: "_", tone: "bad" },
  now: { unicode: "|", ascii: "|", tone: "title" },
  next: { unicode: "░", ascii: "=", tone: "uneasy" },
} as const satisfies Record<string, { unicode: string; ascii: string; tone: Tone }>;

type Stretch = keyof typeof GLYPHS;

/** Returns the meaning of the characters in a line: "█ up, ▒ not observed, …". */
export function lineLegend({ unicode }: Pick<Page, "unicode">): string {
  const words = { up: "up", unseen: "not observed", down: "down", now: "now", next: "next restart" } as const;
  return (Object.keys(words) as (keyof typeof words)[])
    .map((stretch) => `${GLYPHS[stretch][unicode ? "unicode" : "ascii"]} ${words[stretch]}`)
    .join(", ");
}

const LEAST_COLUMNS = 20;

/**
 * Returns a line of text for each lane, all to the same scale: runs, waits, now, the window of the next start, and the
 * length of the time shown. Returns "" for a lane with fewer than two runs, and for all lanes if there is no room.
 */
export function timelineLines(all: readonly Lane[], page: Page, columns: number): string[] {
  const { nowMs } = page;
  const lanes = all.filter(({ runs }) => runs.length > 1);
  if (lanes.length === 0) return all.map(() => "");
  const startMs = extentOf({ lanes, nowMs, clock: { kind: "elapsed" } }).detailFromMs;
  const fromMs = Math.max(startMs, Math.min(...lanes.map(({ runs }) => runs[0]?.startMs ?? nowMs)));
  const toMs = Math.max(...lanes.map(({ next }) => next?.toMs ?? nowMs));
  // Everything is later than an instant that the user has chosen.
  if (fromMs > nowMs) return all.map(() => "");
  const legend = `  last ${formatElapsed(nowMs - fromMs)}`;
  const cells = columns - legend.length;
  if (cells < LEAST_COLUMNS) return all.map(() => "");
  const scale = { fromMs, nowMs, toMs: Math.max(nowMs + 1, toMs), cells };
  return all.map((lane) => (lanes.includes(lane) ? drawn(lane, scale, page) + paint(legend, "quiet", page.color) : ""));
}

interface Scale {
  readonly fromMs: number;
  readonly nowMs: number;
  readonly toMs: number;
  readonly cells: number;
}

function drawn(lane: Lane, scale: Scale, page: Page): string {
  const stretches = stretchesOf(lane, scale);
  // A window that is nearly over is narrower than a cell, which shows now instead.
  if (lane.next === null || stretches.includes("next")) return painted(stretches, page);
  const isLast = stretches.at(-1) === "now";
  const afterNow = isLast ? stretchesOf(lane, { ...scale, toMs: scale.nowMs + 1, cells: scale.cells - 1 }) : stretches;
  return painted(isLast ? [...afterNow, "next"] : afterNow.with(stretches.indexOf("now") + 1, "next"), page);
}

function stretchesOf(lane: Lane, { fromMs, nowMs, toMs, cells }: Scale): Stretch[] {
  const stepMs = (toMs - fromMs) / cells;
  return Array.from({ length: cells }, (_, index) =>
    stretchAt(lane, nowMs, fromMs + index * stepMs, fromMs + (index + 1) * stepMs),
  );
}

/** Returns what a character shows: the most important thing that happens between two instants. */
function stretchAt({ runs, next }: Lane, nowMs: number, fromMs: number, toMs: number): Stretch {
  if (fromMs <= nowMs && nowMs < toMs) return "now";
  const within = runs.filter((run) => run.startMs < toMs && (run.endMs > fromMs || run.startMs >= fromMs));
  if (within.some(({ basis }) => basis === "seen")) return "up";
  if (within.length > 0) return "unseen";
  if (toMs <= (runs[0]?.startMs ?? 0)) return "before";
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
