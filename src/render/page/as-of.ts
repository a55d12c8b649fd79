import type { Explanation } from "../../explain/answer/explanation.ts";
import type { Times } from "./times.ts";
import { wrap } from "./width.ts";

/** The sources of a moment that is not from a clock. */
const MOMENTS: Partial<Readonly<Record<Explanation["atBasis"], string>>> = {
  "newest-input": "newest timestamp in the input",
  flag: "set by --at",
  recording: "time of the recording",
};

/** Whether "now" is not from a clock. A page then begins with the moment: "in 1m27s" means nothing without it. */
export function isChosenMoment({ atBasis }: Pick<Explanation, "atBasis">): boolean {
  return atBasis in MOMENTS;
}

/** Returns the lines with the moment at the head of a page; none if the moment is from a clock. */
export function momentLines(moment: Pick<Explanation, "atMs" | "atBasis">, times: Times, columns: number): string[] {
  return isChosenMoment(moment) ? wrap(`${asOf(moment, times)}:`, columns) : [];
}

/** Returns "As of Nov 21, 2026, 14:03:11 GMT+1 (set by --at)". */
export function asOf({ atMs, atBasis }: Pick<Explanation, "atMs" | "atBasis">, times: Times): string {
  const moment = MOMENTS[atBasis];
  return `As of ${times.dated(atMs)}${moment === undefined ? "" : ` (${moment})`}`;
}
