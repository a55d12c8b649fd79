import { EXTENDED, QUICK, tryAllKinds } from "../../lab/hostile/mutant.ts";
import { markdownTable } from "../markdown-table.ts";
import type { Effort, Section } from "./section.ts";

export async function fuzzSection({ isExtended }: Pick<Effort, "isExtended">): Promise<Section> {
  const tallies = await tryAllKinds(isExtended ? EXTENDED : QUICK);
  const total = (count: (tally: (typeof tallies)[number]) => number): number =>
    tallies.reduce((sum, tally) => sum + count(tally), 0);
  const rows = tallies.map(({ kind, tried, explained, refused, named, faults }) => [
    kind,
    ...[tried, explained, refused, named, faults.length].map(numberText),
  ]);
  const sums = [total((t) => t.tried), total((t) => t.explained), total((t) => t.refused), total((t) => t.named)];
  const faults = tallies.flatMap((tally) => tally.faults);
  const head = ["what is changed", "tried", "explained", "refused with a sentence", "gaps named", "failures"];
  return {
    title: "Hostile input",
    lines: [
      ...INTRODUCTION,
      "",
      ...markdownTable(head, [...rows, ["all", ...sums.map(numberText), numberText(faults.length)]]),
      ...(faults.length === 0 ? [] : ["", ...faults.slice(0, 20).map((fault) => `- ${fault.replaceAll(/\s+/g, " ")}`)]),
    ],
  };
}

function numberText(value: number): string {
  return value.toLocaleString("en-US");
}

const INTRODUCTION = [
  "Recorded pods, events, nodes, kubelet configurations and workloads, changed at random places (the same on every",
  "machine), read as `-f` and as an API server would send them, explained and printed. A failure is a crash; an answer that",
  "takes 10 s; another answer to the same; `NaN`, `undefined` or an invalid date in any output; JSON that its schema refuses;",
  "a window that ends before it begins or begins before now; a negative duration; a character that a terminal obeys, that",
  "hides or that reorders text; markup that is not ours; and a value that is read as absent without a gap that names it",
  "(`invalid-fields`). `test/fuzz` does the same to 1,800 in every run of the tests.",
];
