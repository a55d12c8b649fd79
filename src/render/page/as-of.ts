import type { Explanation } from "../../explain/answer/explanation.ts";
import type { Times } from "./times.ts";
import { wrap } from "./width.ts";

const CHOSEN_MOMENTS: Partial<Readonly<Record<Explanation["atBasis"], string>>> = {
  "newest-input": "newest timestamp in the input",
  flag: "set by --at",
  recording: "time of the recording",
};

export function isChosenMoment({ atBasis }: Pick<Explanation, "atBasis">): boolean {
  return atBasis in CHOSEN_MOMENTS;
}

export function momentLines(moment: Pick<Explanation, "atMs" | "atBasis">, times: Times, columns: number): string[] {
  return isChosenMoment(moment) ? wrap(`${asOf(moment, times)}:`, columns) : [];
}

export function asOf({ atMs, atBasis }: Pick<Explanation, "atMs" | "atBasis">, times: Times): string {
  const source = CHOSEN_MOMENTS[atBasis];
  return `As of ${times.dated(atMs)}${source === undefined ? "" : ` (${source})`}`;
}
