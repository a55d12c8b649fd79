import type { ContainerExplanation, PodExplanation, Run, Window } from "../answer/explanation.ts";

/** When a container was said to start next: the first word on this wait counts, not what was narrowed down later. */
export interface Prediction {
  readonly container: string;
  /** The restartCount of the run that it is about. */
  readonly start: number;
  readonly window: Window;
  readonly madeAtMs: number;
}

/** A prediction, and what then happened. */
export interface Outcome extends Prediction {
  readonly startedAtMs: number;
  /** 0 inside the window; negative: so much before it; positive: so much after it. */
  readonly offMs: number;
}

/** What was predicted during a watch. */
export interface Predictions {
  readonly pending: readonly Prediction[];
  /** The latest outcomes, oldest first. */
  readonly recent: readonly Outcome[];
  readonly kept: number;
  readonly missed: number;
}

/** At the beginning of a watch. */
export const NO_PREDICTIONS: Predictions = { pending: [], recent: [], kept: 0, missed: 0 };

const MOST_RECENT = 20;

/** The predictions after one more explanation of the pod: those that came true or not, and new ones. */
export function followPredictions(known: Predictions, pod: PodExplanation, atMs: number): Predictions {
  const outcomes: Outcome[] = [];
  const pending: Prediction[] = [];
  for (const prediction of known.pending) {
    const container = pod.containers.find(({ name }) => name === prediction.container);
    const run = container === undefined ? undefined : runOf(container, prediction.start);
    if (run !== undefined) outcomes.push(...outcomeOf(prediction, run));
    else if (container !== undefined && mayStillStart(container, prediction)) pending.push(prediction);
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

/** Until that start was seen, or cannot be any more: it came and went unseen, or the container is done. */
function mayStillStart({ state, restartCount }: ContainerExplanation, { start }: Prediction): boolean {
  return restartCount <= start && state !== "completed" && state !== "failed";
}

/**
 * What had started before anything was said about it was not predicted: the news of it came late. All of these instants are
 * cut to the second.
 */
function outcomeOf(prediction: Prediction, { startedAtMs }: Run): Outcome[] {
  if (startedAtMs === null || startedAtMs < prediction.madeAtMs) return [];
  const { notBeforeMs, likelyByMs } = prediction.window;
  const earlyMs = Math.max(0, notBeforeMs - startedAtMs);
  const lateMs = Math.max(0, startedAtMs - likelyByMs);
  return [{ ...prediction, startedAtMs, offMs: lateMs - earlyMs }];
}

function predictionOf(
  container: ContainerExplanation,
  pending: readonly Prediction[],
  atMs: number,
): readonly Prediction[] {
  const { name, state, nextRestart, restartCount } = container;
  const isDown = state === "backing-off" || state === "restarting";
  const start = restartCount + 1;
  if (!isDown || nextRestart === null || runOf(container, start) !== undefined) return [];
  if (pending.some((prediction) => prediction.container === name && prediction.start === start)) return [];
  return [{ container: name, start, window: nextRestart, madeAtMs: atMs }];
}
