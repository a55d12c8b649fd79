import type { Calibration, Complaint } from "./calibration.ts";
import { type Figures, figuresBy, shareOf } from "./figures.ts";
import { type RunningFigures, type RunningJudgement, runningFiguresOf } from "./running.ts";

const CELLS = {
  waits: ({ waits }) => String(waits),
  moments: ({ moments }) => String(moments),
  answered: ({ answered, moments }) => percent(answered, moments),
  "delay right": ({ delayRight, delayKnown }) => (delayKnown === 0 ? "not named" : percent(delayRight, delayKnown)),
  inside: ({ inside, moments }) => percent(inside, moments),
  early: ({ early, moments }) => percent(early, moments),
  late: ({ late, moments }) => percent(late, moments),
  overdue: ({ overdue, moments }) => percent(overdue, moments),
  "median window": ({ medianWindowMs }) => seconds(medianWindowMs),
} satisfies Readonly<Record<string, (figures: Figures) => string>>;

export type Column = keyof typeof CELLS;

export function cellsOf(figures: Figures, columns: readonly Column[]): string[] {
  return columns.map((column) => CELLS[column](figures));
}

const COLUMNS = [
  ...(["waits", "moments", "answered", "delay right", "inside", "early", "late", "overdue"] as const),
  "median window",
] as const;

export function reportLines({ scenarios, totals, complaints }: Calibration): string[] {
  const rows = [...scenarios].map(([scenario, figures]) => [scenario, ...cellsOf(figures, COLUMNS)]);
  return [
    ...tableLines([["scenario", ...COLUMNS], ...rows, ["all", ...cellsOf(totals, COLUMNS)]]),
    "",
    `answered       ${ofWhole(totals.answered, totals.moments)} moments, in waits: ${totals.waits}`,
    `delay right    ${ofWhole(totals.delayRight, totals.delayKnown)} whose delay the kubelet named`,
    `inside         ${ofWhole(totals.inside, totals.moments)} (a moment without an answer counts as a miss)`,
    `early          ${ofWhole(totals.early, totals.moments)} (started before notBefore)`,
    `overdue        ${ofWhole(totals.overdue, totals.moments)} (said to be overdue, and came)`,
    `median window  ${seconds(totals.medianWindowMs)}`,
    "",
    ...verdictLines(complaints),
  ];
}

function verdictLines(complaints: readonly Complaint[]): string[] {
  if (complaints.length === 0) return ["verdict: no scenario is inside too rarely"];
  const lines = complaints.map(({ scenario, figures, chance }) => {
    const misses = figures.moments - figures.inside;
    const why = chance === null ? "below 90 %" : `chance explains that with probability ${chance.toExponential(1)}`;
    return `  ${scenario}: ${CELLS.inside(figures)} inside, ${misses} of ${figures.moments} missed: ${why}`;
  });
  return [`verdict: inside too rarely, scenarios: ${complaints.length}`, ...lines];
}

export function reportObject({ scenarios, totals, complaints }: Calibration): object {
  return {
    kind: "Calibration",
    scenarios: [...scenarios].map(([scenario, figures]) => ({ scenario, ...figuresObject(figures) })),
    totals: figuresObject(totals),
    complaints: complaints.map(({ scenario, chance }) => ({ scenario, chance })),
  };
}

function figuresObject({ medianWindowMs, ...counts }: Figures): object {
  return {
    ...counts,
    answeredShare: shareOf(counts.answered, counts.moments),
    delayRightShare: shareOf(counts.delayRight, counts.delayKnown),
    insideShare: shareOf(counts.inside, counts.moments),
    medianWindowSeconds: medianWindowMs === null ? null : medianWindowMs / 1000,
  };
}

export const RUNNING_COLUMNS = ["moments", "right", "with a probe", "right"];

export function runningLines(judgements: readonly RunningJudgement[]): string[] {
  const totals = runningFiguresOf(judgements);
  const rows = [...runningScenarios(judgements)].map(([scenario, figures]) => [scenario, ...runningCells(figures)]);
  return [
    ...tableLines([["scenario", ...RUNNING_COLUMNS], ...rows, ["all", ...runningCells(totals)]]),
    "",
    `right          ${ofWhole(totals.right, totals.moments)} forecasts of the wait after the next exit`,
    `with a probe   ${ofWhole(totals.probedRight, totals.probedMoments)} of containers with a liveness or startup probe`,
  ];
}

export function runningObject(judgements: readonly RunningJudgement[]): object {
  const rows = [...runningScenarios(judgements)].map(([scenario, figures]) => ({ scenario, ...figures }));
  return { kind: "RunningCalibration", scenarios: rows, totals: runningFiguresOf(judgements) };
}

function runningScenarios(judgements: readonly RunningJudgement[]): Map<string, RunningFigures> {
  return figuresBy(judgements, ({ run }) => run.container.scenario, runningFiguresOf);
}

export function runningCells({ moments, right, probedMoments, probedRight }: RunningFigures): string[] {
  return [String(moments), percent(right, moments), String(probedMoments), percent(probedRight, probedMoments)];
}

export function tableLines(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  return rows.map((row) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join("  "),
  );
}

export function ofWhole(part: number, whole: number): string {
  return `${percent(part, whole)}, ${part} of ${whole}`;
}

export function percent(part: number, whole: number): string {
  const share = shareOf(part, whole);
  return share === null ? "-" : `${(share * 100).toFixed(1)} %`;
}

export function seconds(ms: number | null): string {
  return ms === null ? "-" : `${(ms / 1000).toFixed(1)} s`;
}
