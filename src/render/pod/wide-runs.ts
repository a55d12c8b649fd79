import type { ContainerExplanation, Run } from "../../explain/answer/explanation.ts";
import { formatBriefDuration } from "../../kubelet/go-duration.ts";
import { columnLines, widthOf } from "../charts/contention-columns.ts";
import { formatElapsed, isAhead } from "../page/durations.ts";
import { labelled, type Page } from "../page/page.ts";
import { wrap } from "../page/width.ts";

/** Nobody reads more in a terminal. */
const MOST_RUNS = 20;

/** The labels' column of the notes, if the numbers of the runs are not longer. */
const LEAST_LABEL_WIDTH = 11;

const HEADINGS = ["RUN", "STARTED", "RAN", "EXIT", "WAITED", "BASIS"];
const UNKNOWN = "?";
const NOT_YET = "-";

/** A container's latest runs, oldest first, as a table or, on a page too narrow for it, in words; and how many are left out. */
export function runLines(container: ContainerExplanation, page: Page): string[] {
  const { history } = container;
  const shown = history.slice(-MOST_RUNS).map((run) => cellsOf(run, run === history.at(-1), container, page));
  const more = history.length - shown.length;
  const earlier = more === 1 ? "1 run before these is" : `${more} runs before these are`;
  const leftOut = more > 0 ? wrap(`${earlier} left out; -o json has all.`, page.columns) : [];
  return shown.length === 0 ? [] : [...laidOut(shown, page), ...leftOut];
}

interface RunCells {
  readonly run: string;
  readonly started: string;
  readonly ran: string;
  readonly exit: string;
  readonly waited: string;
  readonly basis: string;
}

/** "-" where something has not come yet, "?" where it is unknown. */
function cellsOf(run: Run, isLast: boolean, { state }: ContainerExplanation, page: Page): RunCells {
  const { start, startedAtMs, finishedAtMs, exitCode, waitedMs, basis } = run;
  const isUp = isLast && state === "running" && finishedAtMs === null;
  const endMs = isUp ? page.nowMs : finishedAtMs;
  const ranMs = startedAtMs === null || endMs === null ? null : endMs - startedAtMs;
  const ran = ranMs === null || isAhead(ranMs) ? UNKNOWN : formatElapsed(ranMs);
  return {
    run: `${start}`,
    started: startOf(run, page),
    ran: isUp && ran !== UNKNOWN ? `${ran} so far` : ran,
    exit: exitCode === null ? (isUp ? NOT_YET : UNKNOWN) : `${exitCode}`,
    waited: waitedMs === null ? (isLast ? NOT_YET : UNKNOWN) : formatBriefDuration(waitedMs),
    basis,
  };
}

function startOf({ startedAtMs, startedBetweenMs }: Run, { times }: Page): string {
  if (startedAtMs !== null) return times.instant(startedAtMs);
  return startedBetweenMs === null ? UNKNOWN : times.span(startedBetweenMs[0], "to", startedBetweenMs[1]);
}

function laidOut(rows: readonly RunCells[], page: Page): string[] {
  const cells = rows.map((row) => Object.values(row).map((text: string) => ({ text })));
  const table = columnLines(HEADINGS, cells, page.color);
  if (widthOf(table) <= page.columns) return table;
  const labelWidth = Math.max(LEAST_LABEL_WIDTH, ...rows.map(({ run }) => labelOf(run).length + 2));
  return rows.flatMap((row) => labelled(labelOf(row.run), labelWidth, inWords(row), page));
}

function labelOf(run: string): string {
  return `run ${run}`;
}

function inWords({ started, ran, exit, waited, basis }: RunCells): string {
  const known = [`started ${started}`, `ran ${ran}`, `exit ${exit}`, `waited ${waited}`];
  return [...known.filter((words) => !words.endsWith(` ${UNKNOWN}`) && !words.endsWith(` ${NOT_YET}`)), basis].join(
    ", ",
  );
}
