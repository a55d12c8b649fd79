import type { ContainerExplanation, PodExplanation, Run, Window } from "../answer/explanation.ts";
import { awaitsRestart, hasEnded } from "../triage.ts";

/** The first prediction of a container's start. Later predictions of the same start do not replace it. */
interface StartPrediction {
  readonly container: string;
  /** The restartCount that the program expects after this start. */
  readonly start: number;
  readonly window: Window;
  readonly madeAtMs: number;
}

export interface Outcome extends StartPrediction {
  readonly startedAtMs: number;
  /** 0 if the start was in the window, negative if it was too early, positive if it was too late. */
  readonly offMs: number;
}

export interface Predictions {
  readonly pending: readonly StartPrediction[];
  /** The latest outcomes, in the order in which the program noticed them. */
  readonly recent: readonly Outcome[];
  readonly kept: number;
  readonly missed: number;
}

export const NO_PREDICTIONS: Predictions = { pending: [], recent: [], kept: 0, missed: 0 };

const MOST_RECENT = 20;

export function followPredictions(known: Predictions, pod: PodExplanation, atMs: number): Predictions {
  const outcomes: Outcome[] = [];
  const pending: StartPrediction[] = [];
  for (const prediction of known.pending) {
    const container = pod.containers.find(({ name }) => name === prediction.container);
    if (container === undefined) continue;
    const run = runOf(container, prediction.start);
    if (run !== undefined) outcomes.push(...outcomeOf(prediction, run));
    // Assumed: if `restartCount` is greater than `prediction.start`, the predicted run is over.
    else if (container.restartCount <= prediction.start && !hasEnded(container)) pending.push(prediction);
  }
  const added = pod.containers.flatMap((container) => predictionOf(container, pending, atMs));
  const missed = outcomes.filter(({ offMs }) => offMs !== 0).length;
  return {
    pending: [...pending, ...added],
    recent: [...known.recent, ...outcomes].slice(-MOST_RECENT),
    kept: known.kept + outcomes.length - missed,
    missed: known.missed + missed,
  };
}

function runOf({ history }: ContainerExplanation, start: number): Run | undefined {
  return history.findLast((run) => run.start === start && run.startedAtMs !== null);
}

/** Ignores a start that came before the program predicted it. Assumed: the program noticed that start late. */
function outcomeOf(prediction: StartPrediction, { startedAtMs }: Run): Outcome[] {
  if (startedAtMs === null || startedAtMs < prediction.madeAtMs) return [];
  const { notBeforeMs, likelyByMs } = prediction.window;
  const earlyMs = Math.max(0, notBeforeMs - startedAtMs);
  const lateMs = Math.max(0, startedAtMs - likelyByMs);
  return [{ ...prediction, startedAtMs, offMs: lateMs - earlyMs }];
}

function predictionOf(
  container: ContainerExplanation,
  pending: readonly StartPrediction[],
  atMs: number,
): StartPrediction[] {
  const { name, nextRestart, restartCount } = container;
  const start = restartCount + 1;
  if (!awaitsRestart(container) || nextRestart === null || runOf(container, start) !== undefined) return [];
  if (pending.some((prediction) => prediction.container === name && prediction.start === start)) return [];
  return [{ container: name, start, window: nextRestart, madeAtMs: atMs }];
}
