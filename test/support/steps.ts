import type { NextStep } from "../../src/explain/answer/explanation.ts";
import type { StepsRequest } from "../../src/explain/next-steps/next-steps.ts";
import type { PodObservation, PodSnapshot } from "../../src/explain/observed/observation.ts";
import { explainWithOwners } from "../../src/explain/owners/owner-explanation.ts";
import { aPod, aStatus, observationOf, S, T0_MS, terminated, waiting } from "./builders.ts";

export const ENDED = terminated(T0_MS + 60 * S, T0_MS + 65 * S);
export const DOWN_STATUS = aStatus({
  restartCount: 1,
  state: waiting("CrashLoopBackOff", "back-off 10s restarting failed container=app"),
  lastState: ENDED,
});

export function stepsFor(
  pod: Partial<PodSnapshot>,
  observed: Partial<PodObservation> = {},
  request: StepsRequest = {},
): readonly NextStep[] {
  const observation = observationOf(aPod({ statuses: [DOWN_STATUS], ...pod }), { atMs: T0_MS + 70 * S, ...observed });
  return explainWithOwners(observation, {}, request).pods[0]?.nextSteps ?? [];
}

/** "* " stands before commands that change the cluster. */
export function commands(steps: readonly NextStep[]): string[] {
  return steps.map(({ command, changesCluster }) => `${changesCluster ? "* " : ""}${command}`);
}
