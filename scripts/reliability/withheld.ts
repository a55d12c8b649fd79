import { interventions, loadRecordingFolder, RECORDINGS } from "../../lab/recordings/recordings.ts";
import { explain } from "../../src/explain/explain.ts";
import { figuresOf } from "../calibration/figures.ts";
import { type Judgement, judge } from "../calibration/judgement.ts";
import { momentsOf, waitsOf } from "../calibration/moments.ts";
import { type Column, cellsOf } from "../calibration/report.ts";
import { type WithheldName, without } from "../calibration/withheld.ts";
import { markdownTable } from "../markdown-table.ts";
import type { Effort, Section } from "./section.ts";

const SIGHTS: readonly { readonly withheld: readonly WithheldName[]; readonly seen: string }[] = [
  { withheld: [], seen: "everything" },
  { withheld: ["config"], seen: "all but the kubelet's configuration" },
  { withheld: ["node"], seen: "pod and events" },
  { withheld: ["events"], seen: "pod, node and configuration; no events" },
  { withheld: ["events", "node"], seen: "the pod alone" },
];
const UNUSUAL = ["node-b", "node-c"];
const COLUMNS: readonly Column[] = ["moments", "delay right", "inside", "median window"];

export async function withheldSection({ isExtended }: Effort): Promise<Section> {
  const known = interventions(RECORDINGS);
  const waits = loadRecordingFolder(RECORDINGS).flatMap((recording) => waitsOf(recording));
  const moments = waits.flatMap((wait) => momentsOf(wait, known)).filter((_, index) => isExtended || index % 20 === 0);
  const rows = SIGHTS.flatMap(({ withheld, seen }) => {
    const judged = moments.map((moment) => judge(moment, (all) => explain(without(withheld, all), {})));
    const isUnusual = ({ moment }: Judgement): boolean => UNUSUAL.includes(moment.wait.recording.node);
    return [
      [seen, "defaults", ...cellsOf(figuresOf(judged.filter((one) => !isUnusual(one))), COLUMNS)],
      [seen, "another maximum, or the reduced curve", ...cellsOf(figuresOf(judged.filter(isUnusual)), COLUMNS)],
    ];
  });
  return {
    title: "Predictions with less to see",
    lines: [
      "The recordings of [How well it predicts](predictions.md) again, with parts of them kept from the program, as rights that",
      "are missing and events that have expired keep them. The windows claim 95 %.",
      "",
      ...markdownTable(["what could be seen", "node", ...COLUMNS], rows),
      "",
      "Without the configuration nothing can tell a node with another maximum from one with the defaults before the first wait",
      "that would have been longer: those predictions are what is lost. The output names the curve as an assumption then.",
    ],
  };
}
