import type { Recording } from "../../lab/recordings/recordings.ts";
import type { ContainerExplanation } from "../../src/explain/answer/explanation.ts";
import type { Instance } from "../calibration/instances.ts";
import { type Judgement, judgementOf } from "../calibration/judgement.ts";
import { type Moment, waitsOf } from "../calibration/moments.ts";
import { type Prediction, waitKey } from "./observer.ts";

export interface Comparison {
  readonly judgements: readonly Judgement[];
  readonly leftOut: {
    /** The next instance was up already. */
    readonly tooLate: number;
    /** The recordings have no such wait, e.g. because its end is unknown. */
    readonly withoutEnd: number;
  };
}

export function compare(predictions: readonly Prediction[], recordings: readonly Recording[]): Comparison {
  const waits = recordings.flatMap((recording) => waitsOf(recording, startOrAttemptOf));
  const byKey = new Map(
    waits.map((wait) => [waitKey(wait.container.uid, wait.container.name, wait.exitedId), wait] as const),
  );
  const leftOut = { tooLate: 0, withoutEnd: 0 };
  const judgements = predictions.flatMap(({ uid, exitedId, atMs, said }) => {
    const wait = byKey.get(waitKey(uid, said.name, exitedId));
    if (wait === undefined) leftOut.withoutEnd += 1;
    else if (isStarted({ wait, atMs }, said)) leftOut.tooLate += 1;
    else return [judgementOf({ wait, atMs }, said)];
    return [];
  });
  return { judgements, leftOut };
}

/** A failed start has no believable time, but an end right after the attempt. */
function startOrAttemptOf({ startedAtMs, failedAtMs }: Instance): number | null {
  return startedAtMs ?? failedAtMs;
}

/**
 * The API cuts times to the second, so the instance was surely up a second after the start; before that, only if the
 * program saw it running.
 */
function isStarted({ wait, atMs }: Moment, said: ContainerExplanation): boolean {
  return atMs >= wait.nextStartedAtMs + (said.state === "running" ? 0 : 1000);
}
