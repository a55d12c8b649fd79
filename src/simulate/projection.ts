import type { CrashLoopPolicy } from "../kubelet/policy.ts";
import type { RestartSpec } from "../kubelet/restart-policy.ts";
import { startWindows } from "./simulate.ts";
import type { RunSource } from "./simulated-run.ts";
import { typicalStarts } from "./start-choice.ts";
import { type Beginning, type SimulatedStart, walk } from "./walk.ts";

/** A real container at a moment: what of it would be the same under another configuration. Instants are of its own clock. */
export interface PresentContainer {
  readonly nowMs: number;
  /** The restartCount of its newest instance, and since which start the curve has gone on without a reset. */
  readonly start: number;
  readonly sinceStart: number;
  /** Of its newest instance; `finishedAtMs` is null while it runs. */
  readonly startedAtMs: number;
  readonly finishedAtMs: number | null;
  /** Its runs by start, the seen ones as they were; the others as they usually are. */
  readonly runOf: RunSource;
  readonly restart: RestartSpec;
}

/** How the container would be restarted from now on. */
export interface Projection {
  /** Down: the delay of its present wait. Up: what its next exit has to wait. 0: none. */
  readonly delayMs: number;
  /** Down: between which instants its next start comes, or would have come. */
  readonly nextStartMs: readonly [number, number] | null;
  /** The delays after that, of the exits to come. */
  readonly comingDelaysMs: readonly number[];
  readonly restartsInNextHour: number;
}

const COMING_DELAYS = 4;
const HOUR_MS = 3_600_000;
/** An exit so long ago that no delay counts from it any more. */
const LONG_AGO_MS = 24 * HOUR_MS;

/** What a policy makes of a container that has run and exited as this one did: the same number of restarts, other waits. */
export function project(present: PresentContainer, policy: CrashLoopPolicy): Projection | null {
  const { start, sinceStart, restart, finishedAtMs } = present;
  const from: Beginning = { start: sinceStart, startedMs: 0, entry: undefined, previousFinishedMs: -LONG_AGO_MS };
  const beginning = sinceStart === 0 ? { ...from, previousFinishedMs: null } : from;
  const coming: SimulatedStart[] = [];
  let shiftMs = 0;
  walk(
    { policy, restart, runOf: present.runOf, startAfter: typicalStarts(policy.retry), from: beginning },
    (simulated) => {
      if (simulated.start < start) return true;
      if (simulated.start === start) shiftMs = shiftOf(present, simulated);
      coming.push(simulated);
      return coming.length <= COMING_DELAYS || simulated.startedMs + shiftMs <= present.nowMs + HOUR_MS;
    },
  );
  const [now, ...later] = coming;
  if (now === undefined) return null;
  const delaysMs = coming.map(({ wait }) => wait?.delayMs ?? 0);
  const [window = null] = startWindows([now], policy.retry);
  const atOnce = now.nextStartedMs === null ? null : ([now.finishedMs, now.nextStartedMs] as const);
  const [fromMs, toMs] = window ?? atOnce ?? [Number.NaN, Number.NaN];
  const isDown = finishedAtMs !== null && now.nextStartedMs !== null;
  return {
    delayMs: finishedAtMs === null ? (now.entry?.delayMs ?? 0) : (delaysMs[0] ?? 0),
    nextStartMs: isDown ? [fromMs + shiftMs, toMs + shiftMs] : null,
    comingDelaysMs: delaysMs.slice(finishedAtMs === null ? 0 : 1).slice(0, COMING_DELAYS),
    restartsInNextHour: later.filter(({ startedMs }) => isWithinHour(startedMs + shiftMs, present.nowMs)).length,
  };
}

/** From the simulation's clock to the container's: its newest exit, or while it runs its newest start, is the same in both. */
function shiftOf({ startedAtMs, finishedAtMs }: PresentContainer, simulated: SimulatedStart): number {
  return finishedAtMs === null ? startedAtMs - simulated.startedMs : finishedAtMs - simulated.finishedMs;
}

function isWithinHour(atMs: number, nowMs: number): boolean {
  return atMs > nowMs && atMs <= nowMs + HOUR_MS;
}
