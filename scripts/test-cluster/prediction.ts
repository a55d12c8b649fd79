import type { ContainerExplanation } from "../../src/explain/answer/explanation.ts";

export interface Prediction {
  /** When it was asked, by the clock of this machine. */
  readonly atMs: number;
  readonly node: string;
  readonly pod: string;
  readonly uid: string;
  readonly exitedId: string;
  readonly said: ContainerExplanation;
}

export function waitKey(uid: string, container: string, exitedId: string): string {
  return `${uid} ${container} ${exitedId}`;
}

/** A line of JSON; durations are in seconds. */
export function predictionLine({ atMs, node, pod, exitedId, said }: Prediction): string {
  const { nextRestart, delayMs, delayBasis } = said;
  return JSON.stringify({
    at: new Date(atMs),
    node,
    pod,
    container: said.name,
    exited: exitedId,
    restartCount: said.restartCount,
    state: said.state,
    delaySeconds: delayMs === null ? null : delayMs / 1000,
    delayBasis,
    nextRestart: nextRestart && {
      notBefore: new Date(nextRestart.notBeforeMs),
      likelyBy: new Date(nextRestart.likelyByMs),
      confidence: nextRestart.confidence,
    },
    cause: said.lastExit?.cause ?? null,
    rules: said.evidence.map(({ rule }) => rule),
  });
}
