import type { Explanation, PodExplanation } from "../explain/explanation.ts";
import { containerTable } from "./container-table.ts";
import { allHarmless } from "./harmless.ts";
import { headline } from "./headline.ts";
import { nextStart } from "./next-start.ts";
import { notes } from "./notes.ts";
import type { Page } from "./page.ts";
import { paint } from "./paint.ts";
import { timesAround } from "./times.ts";
import { totals } from "./totals.ts";
import { mainContainer } from "./trouble.ts";
import { wrap } from "./width.ts";

/** What the form for people depends on besides the explanation. */
export interface RenderOptions {
  /** The terminal's width; less than 20 is taken as 20. */
  readonly columns: number;
  readonly color: boolean;
  /** An IANA name; left out: the process's own. */
  readonly timeZone?: string;
}

const MIN_COLUMNS = 20;

/** More pods than this are counted at the end. */
const MOST_WITHOUT_TOTALS = 3;

/** The form for people: per pod the answer, its containers, the reasons, and what could not be seen. */
export function renderTable(explanation: Explanation, options: RenderOptions): string {
  const { atMs, atBasis, pods } = allHarmless(explanation);
  const page: Page = {
    columns: Math.max(MIN_COLUMNS, Math.floor(options.columns) || MIN_COLUMNS),
    color: options.color,
    nowMs: atMs,
    times: timesAround(atMs, options.timeZone),
  };
  const blocks = pods.map((pod) => podBlock(pod, page));
  if (pods.length > MOST_WITHOUT_TOTALS) blocks.push(wrap(totals(pods, page), page.columns));
  const moment = MOMENTS[atBasis];
  const asOf = moment === undefined ? [] : [wrap(`As of ${page.times.dated(atMs)}, ${moment}:`, page.columns)];
  return pods.length === 0 ? "" : [...asOf, ...blocks].map((lines) => `${lines.join("\n")}\n`).join("\n");
}

/** A "now" that is not the reader's own has to be named before anything is said to be "in 1m27s". */
const MOMENTS: Partial<Readonly<Record<Explanation["atBasis"], string>>> = {
  "newest-input": "the newest timestamp in the input",
  flag: "the moment asked for",
};

function podBlock(pod: PodExplanation, page: Page): string[] {
  const main = mainContainer(pod);
  const next = main === undefined || isOver(pod) ? "" : nextStart(pod, main, page);
  const table = containerTable(pod, page);
  return [
    ...wrap(headline(pod), page.columns).map((line) => paint(line, "title", page.color)),
    ...wrap(next, page.columns),
    ...(table.length > 0 ? ["", ...table, ""] : []),
    ...notes(pod, page),
  ];
}

function isOver({ verdict }: PodExplanation): boolean {
  return verdict === "terminating" || verdict === "failed" || verdict === "completed" || verdict === "unknown";
}
