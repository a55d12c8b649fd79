import { type Figures, figuresOf, shareOf } from "../calibration/figures.ts";
import type { Judgement } from "../calibration/judgement.ts";
import { ofWhole, percent, seconds, tableLines } from "../calibration/report.ts";
import type { Comparison } from "./comparison.ts";

/** With less, the run has failed. */
const LEAST_INSIDE = 0.95;
const LEAST_DELAY_RIGHT = 0.99;

const COLUMNS = ["waits", "predictions", "inside", "early", "late", "delay right", "median window"];

/** The table by node and pod, the totals, what was left out and the verdict. */
export function resultLines({ judgements, leftOut }: Comparison): string[] {
  const nodes = Map.groupBy(judgements, ({ moment }) => moment.wait.recording.node);
  const rows = [...nodes].sort(byName).flatMap(([node, ofNode]) => rowsOf(node, ofNode));
  const totals = figuresOf(judgements);
  const { statedConfidence } = totals;
  const { disturbed, tooLate, withoutEnd } = leftOut;
  return [
    ...tableLines([["node/pod", ...COLUMNS], ...rows, ["all", ...cellsOf(totals)]]),
    "",
    `inside         ${ofWhole(totals.inside, totals.moments)} (no answer counts as a miss: ${totals.moments - totals.answered})`,
    `promised       ${statedConfidence === null ? "-" : percent(statedConfidence, 1)} of the windows, by their own confidence`,
    `delay right    ${ofWhole(totals.delayRight, totals.delayKnown)} whose delay the kubelet named`,
    `median window  ${seconds(totals.medianWindowMs)}`,
    `left out       ${disturbed} whose wait was ended by what nobody can foresee, ${tooLate} made after the start, ${withoutEnd} whose wait has no known end or is too short`,
    `verdict: ${verdictOf(totals)}`,
  ];
}

/** Whether enough predictions came true. */
export function isGood(judgements: readonly Judgement[]): boolean {
  return complaintsAbout(figuresOf(judgements)).length === 0;
}

function verdictOf(totals: Figures): string {
  const complaints = complaintsAbout(totals);
  return complaints.length === 0 ? "the predictions hold" : complaints.join("; ");
}

function complaintsAbout({ moments, inside, delayKnown, delayRight }: Figures): string[] {
  if (moments === 0) return ["no prediction could be judged"];
  const isTooRare = (part: number, whole: number, least: number) => (shareOf(part, whole) ?? 1) < least;
  return [
    ...(isTooRare(inside, moments, LEAST_INSIDE) ? [`inside too rarely (least ${percent(LEAST_INSIDE, 1)})`] : []),
    ...(isTooRare(delayRight, delayKnown, LEAST_DELAY_RIGHT)
      ? [`delay right too rarely (least ${percent(LEAST_DELAY_RIGHT, 1)})`]
      : []),
  ];
}

/** A node's pods by name, then their total. */
function rowsOf(node: string, ofNode: readonly Judgement[]): string[][] {
  const pods = Map.groupBy(ofNode, ({ moment }) => moment.wait.recording.pod);
  const rows = [...pods].sort(byName).map(([pod, ofPod]) => {
    const short = pod.endsWith(`-${node}`) ? pod.slice(0, -node.length - 1) : pod;
    return [`${node}/${short}`, ...cellsOf(figuresOf(ofPod))];
  });
  return [...rows, [`${node}/*`, ...cellsOf(figuresOf(ofNode))]];
}

function byName([left]: readonly [string, unknown], [right]: readonly [string, unknown]): number {
  return left < right ? -1 : 1;
}

function cellsOf({ waits, moments, inside, early, late, delayRight, delayKnown, medianWindowMs }: Figures): string[] {
  return [
    String(waits),
    String(moments),
    percent(inside, moments),
    percent(early, moments),
    percent(late, moments),
    percent(delayRight, delayKnown),
    seconds(medianWindowMs),
  ];
}
