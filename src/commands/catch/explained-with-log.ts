import { endOfLog } from "../../cluster/pods/observe-logs.ts";
import type { Explanation } from "../../explain/answer/explanation.ts";
import type { StepsRequest } from "../../explain/next-steps/next-steps.ts";
import type { Catch } from "../../explain/observed/catch.ts";
import type { ContainerLog } from "../../explain/observed/observation.ts";
import { explainWithOwners } from "../../explain/owners/owner-explanation.ts";
import type { PolicyOverrides } from "../../explain/replay/policy-of-pod.ts";
import type { Caught } from "./catch-run.ts";

const SHOWN_LINES = 5;

/** Explains the recorded pod with the end of the recorded log, which says what failed. */
export function explainedWithLog(caught: Caught, kubelet: PolicyOverrides, steps: StepsRequest): Explanation {
  const { atMs, atBasis } = caught.explanation;
  const pods = [{ ...caught.observed, logs: endOfLogIn(caught.catch) }];
  return explainWithOwners({ atMs, atBasis, pods }, kubelet, steps);
}

function endOfLogIn({ container, run, log }: Catch): ContainerLog[] {
  if (log.lines.length === 0) return [];
  const lines = log.lines.map(({ text }) => text);
  const instance = run === null || run.finishedAtMs === null ? "running" : "last-exit";
  return [{ container, instance, ...endOfLog(lines, log.leftOut.lines, SHOWN_LINES) }];
}
