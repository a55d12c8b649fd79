import { observationAt } from "../../lab/recordings/recorded-moment.ts";
import type { ContainerExplanation, Explanation, PodExplanation } from "../../src/explain/answer/explanation.ts";
import type { Observation } from "../../src/explain/observed/observation.ts";
import type { Moment, Wait } from "./moments.ts";

export type Explain = (observation: Observation) => Explanation;

export type Outcome = "inside" | "early" | "late" | "overdue" | "unanswered";

export interface Judgement {
  readonly moment: Moment;
  readonly said: ContainerExplanation | null;
  readonly outcome: Outcome;
  readonly delay: "right" | "wrong" | "unknown";
}

/** Hand-set. Added at both ends of a window, because the API cuts timestamps to the second. */
export const TOLERANCE_MS = 1500;

export function judge(moment: Moment, explain: Explain): Judgement {
  return judgementOf(moment, explainedAt(moment.wait, moment.atMs, explain)?.said ?? null);
}

export function judgementOf(moment: Moment, said: ContainerExplanation | null): Judgement {
  const { nextStartedAtMs, delayMs } = moment.wait;
  const isRight = said?.delayMs === delayMs;
  const delay = delayMs === null ? "unknown" : isRight ? "right" : "wrong";
  return { moment, said, outcome: outcomeOf(said, nextStartedAtMs), delay };
}

/** Returns null if the recording shows no such pod or container at `atMs`. */
export function explainedAt(
  { recording, container }: Pick<Wait, "recording" | "container">,
  atMs: number,
  explain: Explain,
): { readonly observation: Observation; readonly pod: PodExplanation; readonly said: ContainerExplanation } | null {
  const observation = observationAt(recording, atMs);
  if (observation === null) return null;
  try {
    const pod = explain(observation).pods.find(({ uid }) => uid === container.uid);
    const said = pod?.containers.find(({ name }) => name === container.name);
    return pod === undefined || said === undefined ? null : { observation, pod, said };
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
