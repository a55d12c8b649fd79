import type { CrashLoopPolicy } from "../kubelet/policy.ts";
import type { RestartSpec } from "../kubelet/restart-policy.ts";
import { startWindows } from "./simulate.ts";
import type { RunSource } from "./simulated-run.ts";
import { typicalStarts } from "./start-choice.ts";
import { type Beginning, type SimulatedStart, walk } from "./walk.ts";

/** The facts about a real container that do not depend on the kubelet's configuration. */
export interface PresentContainer {
  readonly nowMs: number;
  /** The restartCount of the newest instance. */
  readonly start: number;
  /** The restartCount of the first instance after the newest reset of the back-off. */
  readonly sinceStart: number;
  readonly startedAtMs: number;
  readonly finishedAtMs: number | null;
  /** Gives observed runs their observed length and exit, and all other runs the usual length and exit. */
  readonly runOf: RunSource;
  readonly restart: RestartSpec;
}

/** The container's predicted restarts from now on, under one kubelet configuration. */
export interface Projection {
  /** If the container is down, the delay of the present wait. If it runs, the delay of its back-off. 0: no delay. */
  readonly delayMs: number;
  /** The 95 % range of the next start, which may be in the past; null if the container is up or stays down. */
  readonly nextStartMs: readonly [number, number] | null;
  /** The delays after the container's next exits. */
  readonly comingDelaysMs: readonly number[];
  readonly restartsInNextHour: number;
}

const COMING_DELAYS = 4;
const HOUR_MS = 3_600_000;
/** An exit this long ago causes no delay. */
const LONG_AGO_MS = 24 * HOUR_MS;

/**
 * Simulates the container's runs since its newest reset under another policy. The number of restarts stays the same,
 * the waits differ. Returns null if that policy stops restarting the container before its newest instance.
 */
export function project(present: PresentContainer, policy: CrashLoopPolicy): Projection | null {
  const { start, sinceStart, restart, runOf, finishedAtMs } = present;
  const previousFinishedMs = sinceStart === 0 ? null : -LONG_AGO_MS;
  const from: Beginning = { start: sinceStart, startedMs: 0, entry: undefined, previousFinishedMs };
  const coming: SimulatedStart[] = [];
  let shiftMs = 0;
  walk({ policy, restart, runOf, startAfter: typicalStarts(policy.retry), from }, (simulated) => {
    if (simulated.start < start) return true;
    if (simulated.start === start) shiftMs = shiftOf(present, simulated);
    coming.push(simulated);
    return coming.length <= COMING_DELAYS || simulated.startedMs + shiftMs <= present.nowMs + HOUR_MS;
  });
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

/**
 * Returns the time to add to simulated instants to get real ones. Both agree at the newest exit, or at the newest start
 * if the container runs.
 */
function shiftOf({ startedAtMs, finishedAtMs }: PresentContainer, simulated: SimulatedStart): number {
  return finishedAtMs === null ? startedAtMs - simulated.startedMs : finishedAtMs - simulated.finishedMs;
}

function isWithinHour(atMs: number, nowMs: number): boolean {
  return atMs > nowMs && atMs <= nowMs + HOUR_MS;
}
