import type { StartWindow } from "../../simulate/start-windows.ts";
import type { SimulatedStart } from "../../simulate/walk.ts";
import type { SimulationReport } from "./simulation-report.ts";
import { span } from "./simulation-words.ts";

/** The columns of a simulation's table. */
export const HEADINGS = ["START", "AT", "RAN", "DELAY", "WAITED", "95 % WITHIN", "CRASHLOOPBACKOFF"] as const;

/** A start as the cells of {@link HEADINGS}. */
export type SimulationRow = readonly string[];

/** The rows of a table, and how many starts were left out of it. */
export interface FoldedRows {
  readonly rows: readonly SimulationRow[];
  /** What repeats to the end is shown twice; this says how it goes on. Null: everything is shown. */
  readonly goesOn: string | null;
}

/** More starts than this nobody reads. */
const MOST_ROWS = 100;

/** The starts of a simulation as rows; a curve that has settled is cut after its second round. */
export function rowsOf({ simulation: { starts }, windows }: SimulationReport): FoldedRows {
  const period = PERIODS.find((length) => untilRepeating(starts, length) < starts.length - 2 * length);
  const settled = period === undefined ? starts.length : untilRepeating(starts, period) + period;
  const shown = Math.min(settled, starts.length, MOST_ROWS);
  const rows = starts.slice(0, shown).map((start, index) => rowOf(start, windows[index] ?? null));
  const last = starts.at(-1);
  if (last === undefined || shown === starts.length) return { rows, goesOn: null };
  if (shown < settled) {
    return { rows, goesOn: `and ${starts.length - shown} more, until start ${last.start}; -o json has them all.` };
  }
  const lines = period === 1 ? "the last line repeats" : `the last ${period} lines repeat`;
  return { rows, goesOn: `and so on: ${lines} until start ${last.start}, at ${span(last.startedMs)}.` };
}

/** A settled curve repeats itself; under probe kills every other wait is none. */
const PERIODS = [1, 2] as const;

/** How many starts there are until the end of the first round of what repeats, with this period, to the very end. */
function untilRepeating(starts: readonly SimulatedStart[], period: number): number {
  let index = starts.length - 1;
  while (index >= period && isAlike(starts[index - period], starts[index])) index -= 1;
  return index + 1;
}

function isAlike(before: SimulatedStart | undefined, start: SimulatedStart | undefined): boolean {
  if (before === undefined || start === undefined) return false;
  return LENGTHS.every((lengthOf) => Math.round(lengthOf(before) / 1_000) === Math.round(lengthOf(start) / 1_000));
}

/** What stays the same of a start when it comes again later, in milliseconds; less than none is nothing of the kind. */
const LENGTHS: readonly ((start: SimulatedStart) => number)[] = [
  ({ startedMs, finishedMs }) => finishedMs - startedMs,
  ({ finishedMs, nextStartedMs }) => (nextStartedMs === null ? -1_000 : nextStartedMs - finishedMs),
  ({ wait }) => wait?.delayMs ?? -1_000,
  ({ finishedMs, crashLoopBackOff }) => (crashLoopBackOff === null ? -1_000 : crashLoopBackOff.fromMs - finishedMs),
];

function rowOf(simulated: SimulatedStart, window: StartWindow): SimulationRow {
  const { start, startedMs, finishedMs, nextStartedMs } = simulated;
  const run = [String(start), span(Math.round(startedMs / 1_000) * 1_000), span(finishedMs - startedMs)];
  if (nextStartedMs === null) return [...run, "-", "never", "-", "-"];
  const { delay, waited } = waitOf(simulated, nextStartedMs);
  return [...run, delay, waited, windowOf(window, finishedMs), shownOf(simulated)];
}

function waitOf({ wait, finishedMs }: SimulatedStart, nextStartedMs: number) {
  if (wait === null || wait.delayMs === 0) return { delay: "none", waited: "at once" };
  const delay = wait.droppedAtMs === null ? span(wait.delayMs) : `${span(wait.delayMs)}*`;
  return { delay, waited: span(nextStartedMs - finishedMs) };
}

function shownOf({ wait, crashLoopBackOff }: SimulatedStart): string {
  if (crashLoopBackOff !== null) return `${span(crashLoopBackOff.fromMs)} to ${span(crashLoopBackOff.toMs)}`;
  return wait === null || wait.delayMs === 0 ? "-" : "not shown";
}

/** Never narrower than it is, in whole seconds. */
function windowOf(window: StartWindow, finishedMs: number): string {
  if (window === null) return "-";
  const [fromMs, toMs] = window.map((atMs) => Math.round(atMs - finishedMs));
  return `${span(Math.floor((fromMs ?? 0) / 1_000) * 1_000)} to ${span(Math.ceil((toMs ?? 0) / 1_000) * 1_000)}`;
}
