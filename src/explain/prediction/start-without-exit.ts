import { SECOND_MS } from "../../kubelet/go-duration.ts";
import { longestLatenessMs } from "../../kubelet/retry-rule.ts";
import { hasAllEvents } from "../history/events.ts";
import { newestAtMs } from "../observed/lookups.ts";
import type { PodObservation } from "../observed/observation.ts";
import type { ReplayedContainer } from "../replay/replayed-container.ts";
import { failuresToStart, hasNeverRun } from "./obstacle.ts";
import type { ContainerCase, PodContext } from "./pod-context.ts";
import { dueBy, type NextStart, NO_NEXT_START, windowFrom } from "./start-window.ts";

/**
 * Predicts the start of a container in CrashLoopBackOff without an exit in the API. If the container has never run, the
 * delay counts from the last failed attempt (kubernetes/kubernetes#142033, not merged in v1.37). If the time of that
 * attempt is unknown, the delay has begun all the same: if the status is current, the start comes at most one whole
 * delay and its lateness from now; otherwise nothing is predicted.
 */
export function startWithoutExit({ facts }: ContainerCase, context: PodContext): NextStart {
  const { observed, policy, atMs } = context;
  const { messageDelayMs } = facts;
  if (messageDelayMs === null) return NO_NEXT_START;
  const latestMs = messageDelayMs + longestLatenessMs(policy.retry, messageDelayMs);
  const isComplete = hasAllEvents(observed, "Warning", policy.traits);
  const failedAtMs = isComplete ? lastFailureMs(facts, observed) : 0;
  if (failedAtMs === 0) {
    const isCurrent = context.atBasis === "server-clock";
    return isCurrent ? { nextRestart: windowFrom(atMs, atMs + latestMs), overdue: null } : NO_NEXT_START;
  }
  const dueByMs = failedAtMs + SECOND_MS + latestMs;
  const window = windowFrom(Math.max(atMs, failedAtMs + messageDelayMs), Math.max(atMs, dueByMs) + SECOND_MS);
  return dueBy(window, dueByMs, context);
}

/**
 * Returns when an attempt to start the container last failed; 0 if the container has run, or if no event shows a
 * failure.
 */
function lastFailureMs(facts: ReplayedContainer, observed: PodObservation): number {
  return hasNeverRun(facts) ? newestAtMs(failuresToStart(facts.spec.name, observed)) : 0;
}
