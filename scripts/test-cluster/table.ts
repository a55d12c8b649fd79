import { figuresBy, figuresOf } from "../calibration/figures.ts";
import { cellsOf, ofWhole, percent, tableLines } from "../calibration/report.ts";
import type { Comparison } from "./comparison.ts";

const LEAST_INSIDE = 0.95;
const LEAST_DELAY_RIGHT = 0.99;

const COLUMNS = [
  ...(["waits", "moments", "inside", "early", "late", "delay right"] as const),
  "median window",
] as const;

export function resultOf({ judgements, leftOut }: Comparison): { lines: string[]; isGood: boolean } {
  const pods = figuresBy(
    judgements,
    ({ moment: { wait } }) => `${wait.recording.node}/${wait.recording.pod}`,
    figuresOf,
  );
  const rows = [...pods].map(([pod, figures]) => [pod, ...cellsOf(figures, COLUMNS)]);
  const totals = figuresOf(judgements);
  const { moments, inside, delayKnown, delayRight } = totals;
  const complaints = [
    ...(moments === 0 ? ["no prediction could be judged"] : []),
    ...(inside < LEAST_INSIDE * moments ? [`inside too rarely (least ${percent(LEAST_INSIDE, 1)})`] : []),
    ...(delayRight < LEAST_DELAY_RIGHT * delayKnown
      ? [`delay right too rarely (least ${percent(LEAST_DELAY_RIGHT, 1)})`]
      : []),
  ];
  const lines = [
    ...tableLines([["node/pod", ...COLUMNS], ...rows, ["all", ...cellsOf(totals, COLUMNS)]]),
    "",
    `inside         ${ofWhole(inside, moments)} (no answer counts as a miss: ${moments - totals.answered})`,
    `delay right    ${ofWhole(delayRight, delayKnown)} whose delay the kubelet named`,
    `left out       ${leftOut.tooLate} made after the start, ${leftOut.withoutEnd} whose wait has no known end or is too short`,
    `verdict: ${complaints.length === 0 ? "the predictions hold" : complaints.join("; ")}`,
  ];
  return { lines, isGood: complaints.length === 0 };
}
