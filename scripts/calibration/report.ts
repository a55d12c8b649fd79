import type { Calibration } from "./calibration.ts";
import { type Figures, figuresBy, shareOf } from "./figures.ts";
import { type RunningFigures, type RunningJudgement, runningFiguresOf } from "./running.ts";
import type { Complaint } from "./verdict.ts";

const COLUMNS = [
  "waits",
  "moments",
  "answered",
  "delay right",
  "inside",
  "early",
  "late",
  "overdue",
  "median window",
] as const;

/** The table by scenario, the totals and the verdict. */
export function reportLines({ scenarios, totals, complaints }: Calibration, tookMs: number): string[] {
  const rows = [...scenarios].map(([scenario, figures]) => [scenario, ...cellsOf(figures)]);
  return [
    ...tableLines([["scenario", ...COLUMNS], ...rows, ["all", ...cellsOf(totals)]]),
    "",
    `answered       ${ofWhole(totals.answered, totals.moments)} moments, in waits: ${totals.waits}`,
    `delay right    ${ofWhole(totals.delayRight, totals.delayKnown)} whose delay the kubelet named`,
    `inside         ${ofWhole(totals.inside, totals.moments)} (a moment without an answer counts as a miss)`,
    `early          ${ofWhole(totals.early, totals.moments)} (started before notBefore)`,
    `overdue        ${ofWhole(totals.overdue, totals.moments)} (said to be overdue, and came)`,
    `median window  ${seconds(totals.medianWindowMs)}`,
    `stated         ${percent(totals.statedConfidence ?? 0, 1)} confidence on average`,
    `took           ${seconds(tookMs)}`,
    "",
    ...verdictLines(complaints),
  ];
}

function verdictLines(complaints: readonly Complaint[]): string[] {
  if (complaints.length === 0) return ["verdict: no scenario is inside too rarely"];
  const lines = complaints.map(({ scenario, figures, chance }) => {
    const misses = figures.moments - figures.inside;
    const why = chance === null ? "below 90 %" : `chance explains that with probability ${chance.toExponential(1)}`;
    return `  ${scenario}: ${percent(figures.inside, figures.moments)} inside, ${misses} of ${figures.moments} missed: ${why}`;
  });
  return [`verdict: inside too rarely, scenarios: ${complaints.length}`, ...lines];
}

export function reportObject({ scenarios, totals, complaints }: Calibration, tookMs: number): object {
  return {
    kind: "Calibration",
    scenarios: [...scenarios].map(([scenario, figures]) => ({ scenario, ...figuresObject(figures) })),
    totals: figuresObject(totals),
    complaints: complaints.map(({ scenario, chance }) => ({ scenario, chance })),
    tookSeconds: tookMs / 1000,
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

function cellsOf(figures: Figures): string[] {
  const { waits, moments } = figures;
  return [
    String(waits),
    String(moments),
    percent(figures.answered, moments),
    percent(figures.delayRight, figures.delayKnown),
    percent(figures.inside, moments),
    percent(figures.early, moments),
    percent(figures.late, moments),
    percent(figures.overdue, moments),
    seconds(figures.medianWindowMs),
  ];
}

const RUNNING_COLUMNS = ["moments", "right", "with a probe", "right"];

export function runningLines(judgements: readonly RunningJudgement[]): string[] {
  const scenarios = figuresBy(judgements, ({ run }) => run.container.scenario, runningFiguresOf);
  const totals = runningFiguresOf(judgements);
  const rows = [...scenarios].map(([scenario, figures]) => [scenario, ...runningCells(figures)]);
  return [
    ...tableLines([["scenario", ...RUNNING_COLUMNS], ...rows, ["all", ...runningCells(totals)]]),
    "",
    `right          ${ofWhole(totals.right, totals.moments)} forecasts of the wait after the next exit`,
    `with a probe   ${ofWhole(totals.probedRight, totals.probedMoments)} of containers with a liveness or startup probe`,
  ];
}

export function runningObject(judgements: readonly RunningJudgement[]): object {
  const scenarios = figuresBy(judgements, ({ run }) => run.container.scenario, runningFiguresOf);
  const rows = [...scenarios].map(([scenario, figures]) => ({ scenario, ...figures }));
  return { kind: "RunningCalibration", scenarios: rows, totals: runningFiguresOf(judgements) };
}

export function runningCells({ moments, right, probedMoments, probedRight }: RunningFigures): string[] {
  return [String(moments), percent(right, moments), String(probedMoments), percent(probedRight, probedMoments)];
}

/** The first column is aligned left, the others right. */
export function tableLines(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  return rows.map((row) => {
    const cells = row.map((cell, column) =>
      column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
    );
    return cells.join("  ");
  });
}

export function ofWhole(part: number, whole: number): string {
  return `${percent(part, whole)}, ${part} of ${whole}`;
}

/** "-" if there is nothing. */
export function percent(part: number, whole: number): string {
  const share = shareOf(part, whole);
  return share === null ? "-" : `${(share * 100).toFixed(1)} %`;
}

/** "-" if there is none. */
export function seconds(ms: number | null): string {
  return ms === null ? "-" : `${(ms / 1000).toFixed(1)} s`;
}
