import type { Explanation, PodExplanation } from "../../explain/answer/explanation.ts";
import { allHarmless } from "../page/harmless.ts";
import { type Page, pageOf, type RenderOptions } from "../page/page.ts";
import { paint } from "../page/paint.ts";
import { wrap } from "../page/width.ts";
import { answerOf, asOf, isChosenMoment } from "./answer.ts";
import { containerTable } from "./container-table.ts";
import { groupBlocks } from "./groups.ts";
import { notes } from "./notes.ts";
import { totals } from "./totals.ts";

export type { RenderOptions } from "../page/page.ts";

/** More pods than this are counted at the end. */
const MOST_WITHOUT_TOTALS = 3;

/** The form for people: per pod the answer, its containers, the reasons, and what could not be seen. */
export function renderTable(explanation: Explanation, options: RenderOptions): string {
  return renderPods(explanation, options, podBlock);
}

/** The same with `blockOf` telling of each pod. */
export function renderPods(explanation: Explanation, options: RenderOptions, blockOf: typeof podBlock): string {
  const harmless = allHarmless(explanation);
  const page = pageOf(harmless, options);
  const { pods } = harmless;
  const blocks = groupBlocks(harmless, page, blockOf);
  if (pods.length > MOST_WITHOUT_TOTALS) blocks.push(wrap(totals(pods, page), page.columns));
  const moment = isChosenMoment(harmless) ? [wrap(`${asOf(harmless, page.times)}:`, page.columns)] : [];
  return pods.length === 0 ? "" : [...moment, ...blocks].map((lines) => `${lines.join("\n")}\n`).join("\n");
}

/** One pod's lines: the answer, the table of its containers, and the notes. */
export function podBlock(pod: PodExplanation, page: Page): string[] {
  const answer = answerOf(pod, page);
  const table = containerTable(pod, page);
  return [
    ...wrap(answer.headline, page.columns).map((line) => paint(line, "title", page.color)),
    ...wrap(answer.next, page.columns),
    ...(table.length > 0 ? ["", ...table, ""] : []),
    ...notes(pod, page),
  ];
}
