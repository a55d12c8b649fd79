import type { Calibration } from "./calibration.ts";
import { type Figures, shareOf } from "./figures.ts";
import { percent, seconds } from "./report.ts";

const BEGIN = "<!-- written by npm run calibrate, begin -->";
const END = "<!-- written by npm run calibrate, end -->";

const HEADINGS = ["scenario", "waits", "moments", "delay right", "inside", "early", "late", "overdue", "median window"];

/** The document with the table between its two marks drawn anew, all else as it was. Throws without the marks. */
export function withCalibration(document: string, calibration: Calibration): string {
  const [before, rest] = document.split(BEGIN);
  const after = rest?.split(END)[1];
  if (before === undefined || after === undefined) throw new Error(`There is no line "${BEGIN}" before "${END}".`);
  return `${before}${BEGIN}\n\n${calibrationTable(calibration)}\n\n${END}${after}`;
}

/** The figures of every scenario, and of all. */
function calibrationTable({ scenarios, totals }: Calibration): string {
  const rows = [...scenarios].map(([scenario, figures]) => [`\`${scenario}\``, ...cellsOf(figures)]);
  const lines = [HEADINGS, ["---", ...HEADINGS.slice(1).map(() => "---:")], ...rows, ["all", ...cellsOf(totals)]];
  return lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

/** A moment without a window is neither early nor late, but not inside either. */
function cellsOf(figures: Figures): string[] {
  const { waits, moments, delayRight, delayKnown, inside, early, late, overdue, medianWindowMs } = figures;
  return [
    String(waits),
    String(moments),
    shareOf(delayRight, delayKnown) === null ? "not named" : percent(delayRight, delayKnown),
    ...[inside, early, late, overdue].map((count) => percent(count, moments)),
    seconds(medianWindowMs),
  ];
}
