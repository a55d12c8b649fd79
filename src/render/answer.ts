import type { Explanation, PodExplanation } from "../explain/explanation.ts";
import { headline } from "./headline.ts";
import { nextStart } from "./next-start.ts";
import type { Page } from "./page.ts";
import type { Times } from "./times.ts";
import { mainContainer } from "./trouble.ts";

/** The two sentences that every form for people begins with. */
export interface Answer {
  readonly headline: string;
  /** When it starts next, and why then; empty if there is nothing to say. */
  readonly next: string;
}

/** What a pod's reader wants to know first. */
export function answerOf(pod: PodExplanation, page: Page): Answer {
  const main = mainContainer(pod);
  return { headline: headline(pod), next: main === undefined || isOver(pod) ? "" : nextStart(pod, main, page) };
}

function isOver({ verdict }: PodExplanation): boolean {
  return verdict === "terminating" || verdict === "failed" || verdict === "completed" || verdict === "unknown";
}

/** Where a "now" is from that is not the reader's own; undefined for that of a clock. */
const MOMENTS: Partial<Readonly<Record<Explanation["atBasis"], string>>> = {
  "newest-input": "the newest timestamp in the input",
  flag: "the moment asked for",
  recording: "the moment of the recording",
};

/**
 * Whether "now" was chosen rather than read from a clock: then it has to be named before anything is said to be "in 1m27s".
 */
export function isChosenMoment({ atBasis }: Explanation): boolean {
  return MOMENTS[atBasis] !== undefined;
}

/** "As of 14:03:11 GMT+1 on Nov 21, 2026, the moment asked for". */
export function asOf({ atMs, atBasis }: Explanation, times: Times): string {
  const moment = MOMENTS[atBasis];
  return `As of ${times.dated(atMs)}${moment === undefined ? "" : `, ${moment}`}`;
}
