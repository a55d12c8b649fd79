import type { BackoffEntry } from "../backoff/backoff.ts";
import type { CrashLoopPolicy } from "../kubelet/crash-loop-policy.ts";
import { entryAfterStart, type Wait, waitAfter } from "../kubelet/do-backoff.ts";
import { syncAtExit, usualLatenessMs } from "../kubelet/retry-rule.ts";
import type { StartDistribution } from "../kubelet/start-distribution.ts";
import { startsAfter } from "../kubelet/starts-after.ts";
import { runLengthMs } from "./history/runs.ts";
import type { ContainerCase, PodContext } from "./prediction/pod-context.ts";

/** Returns the time from a start to the next one if the container crashes again, by the number of starts before. */
export type Restarts = (starts: number) => StartDistribution;

/** The back-off of a container at one of its starts. */
interface Start {
  readonly entry: BackoffEntry | undefined;
  readonly wait: Wait;
}

/**
 * Returns when the container restarts if it crashes again and again by itself, each time after a run as long as its last
 * one. Null if its present wait is unknown.
 */
export function restartsOf({ facts, wait }: ContainerCase, { policy }: PodContext): Restarts | null {
  if (wait === null) return null;
  const last = facts.runs.findLast(({ finishedAtMs }) => finishedAtMs !== null);
  const ranMs = last === undefined ? 0 : runLengthMs(last);
  return restartsAfter({ entry: wait.entry, wait: wait.likeliest }, ranMs, policy);
}

function restartsAfter(first: Start, ranMs: number, policy: CrashLoopPolicy): Restarts {
  const starts = [first];
  const gaps: StartDistribution[] = [];
  return (index) => {
    for (let at = gaps.length; at <= index; at++) {
      const before = starts[at] ?? first;
      const startedAtMs = before.wait.readyAtMs + usualLatenessMs(policy.retry, before.wait.delayMs);
      const finishedAtMs = startedAtMs + ranMs;
      const entry = entryAfterStart(before.entry, before.wait, startedAtMs, policy);
      const wait = waitAfter(entry, null, { finishedAtMs, killedBySync: false }, policy);
      starts.push({ entry, wait });
      const { readyAtMs, plannedAtMs } = wait;
      const view = { readyAtMs, plannedAtMs, ...syncAtExit(finishedAtMs), siblingsPlannedAtMs: [] };
      gaps.push(startsAfter(view, policy.retry).later(-startedAtMs));
    }
    return gaps[index] as StartDistribution;
  };
}
