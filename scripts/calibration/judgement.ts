import type { ContainerExplanation, Explanation } from "../../src/explain/answer/explanation.ts";
import type { Observation } from "../../src/explain/observed/observation.ts";
import { observationAt } from "../recordings.ts";
import type { Moment } from "./moments.ts";

/** What the program says of an observation. */
export type Explain = (observation: Observation) => Explanation;

/**
 * Where the next start fell. early: before the window began; late: after it ended; overdue: it was said to be overdue;
 * unanswered: there was no window.
 */
export type Outcome = "inside" | "early" | "late" | "overdue" | "unanswered";

/** One moment, what was said then, and whether that came true. */
export interface Judgement {
  readonly moment: Moment;
  readonly said: ContainerExplanation | null;
  readonly outcome: Outcome;
  /** unknown: the kubelet never named the delay of this wait. */
  readonly delay: "right" | "wrong" | "unknown";
}

/** On either side of a window, for the API's timestamps are cut to the second. */
const TOLERANCE_MS = 1500;

/** Asks for an explanation of what was known at the moment, and compares it with what happened. Errors name the moment. */
export function judge(moment: Moment, explain: Explain): Judgement {
  return judgementOf(moment, containerAt(moment, explain));
}

/** Compares what was said at the moment with what happened; nothing said is no answer. */
export function judgementOf(moment: Moment, said: ContainerExplanation | null): Judgement {
  const { nextStartedAtMs, delayMs } = moment.wait;
  const isRight = said?.delayMs === delayMs;
  const delay = delayMs === null ? "unknown" : isRight ? "right" : "wrong";
  return { moment, said, outcome: outcomeOf(said, nextStartedAtMs), delay };
}

function containerAt({ wait, atMs }: Moment, explain: Explain): ContainerExplanation | null {
  const { recording, container } = wait;
  const observation = observationAt(recording, atMs);
  if (observation === null) return null;
  try {
    const pod = explain(observation).pods.find(({ uid }) => uid === container.uid);
    return pod?.containers.find(({ name }) => name === container.name) ?? null;
  } catch (error) {
    const where = `${recording.node}/${recording.pod} at ${new Date(atMs).toISOString()}`;
    throw new Error(`Cannot explain ${where}`, { cause: error });
  }
}

function outcomeOf(said: ContainerExplanation | null, startedAtMs: number): Outcome {
  const window = said?.nextRestart ?? null;
  if (window === null) return said?.overdue ? "overdue" : "unanswered";
  if (startedAtMs < window.notBeforeMs - TOLERANCE_MS) return "early";
  return startedAtMs > window.likelyByMs + TOLERANCE_MS ? "late" : "inside";
}
