import type { PodExplanation } from "../answer/explanation.ts";
import { leastOf } from "../observed/max-min.ts";
import { mainContainer } from "../triage.ts";

/** An inferred beginning of a trouble can be this much too early. */
const TOLERANCE_MS = 60_000;

/**
 * Returns when the pod's failures began, at the latest: its first exit if the API still has it, else the inferred
 * beginning of its trouble, else its oldest known exit, else its creation. What came later is no cause.
 */
export function firstFailureMs(pod: PodExplanation): number | null {
  const { history = [], failingSince = null } = mainContainer(pod) ?? {};
  const firstRun = history.find(({ start, finishedAtMs }) => start === 0 && finishedAtMs !== null);
  const exits = pod.containers.flatMap((one) => one.history.flatMap(({ finishedAtMs }) => finishedAtMs ?? []));
  const firstExitMs = leastOf(exits, Number.POSITIVE_INFINITY);
  if (firstRun !== undefined || failingSince === null || failingSince.isLatest === true)
    return Number.isFinite(firstExitMs) ? firstExitMs : (pod.createdAtMs ?? null);
  return failingSince.atMs + (failingSince.basis === "inferred" ? TOLERANCE_MS : 0);
}
