import { entryAfterStart, waitAfter } from "../../kubelet/do-backoff.ts";
import { usualLatenessMs } from "../../kubelet/retry-rule.ts";
import { StartDistribution } from "../../kubelet/start-distribution.ts";
import { startsAfter, syncAtExit, TRUNCATION_ERRORS } from "../../kubelet/starts-after.ts";
import { runLengthMs } from "../history/runs.ts";
import { probeThatMayKill, wasKilledBy } from "../prediction/kills.ts";
import type { ContainerCase, PodContext } from "../prediction/pod-context.ts";

/**
 * Estimates the time from a start to the following start, if the container goes on crashing. With `starts` 0, the time
 * begins with the container's next start.
 */
export type Restarts = (starts: number) => StartDistribution;

/** Assumed: each run is as long as the container's last run that ended. */
export function restartsOf({ facts, wait }: ContainerCase, { policy }: PodContext): Restarts | null {
  if (wait === null) return null;
  const last = facts.runs.findLast(({ finishedAtMs }) => finishedAtMs !== null);
  const lengthMs = last === undefined ? 0 : runLengthMs(last);
  const probe = probeThatMayKill(facts);
  const killedBySync = probe !== null && wasKilledBy(facts, probe);
  let before = { finishedAtMs: wait.finishedAtMs, entry: wait.entry, wait: wait.likeliest };
  const gaps: StartDistribution[] = [];
  const nextGap = (): StartDistribution => {
    const startedAtMs = before.wait.readyAtMs + usualLatenessMs(policy.retry, before.wait.delayMs);
    const finishedAtMs = startedAtMs + lengthMs;
    const entry = entryAfterStart(before.entry, before.wait, startedAtMs, policy);
    const next = waitAfter(entry, before.finishedAtMs, { finishedAtMs, killedBySync }, policy);
    before = { finishedAtMs, entry, wait: next };
    const gap = startsAfter(next, syncAtExit(finishedAtMs), policy.retry).later(-startedAtMs);
    return StartDistribution.mixed(
      TRUNCATION_ERRORS.map(({ errorMs, share }) => ({ starts: gap.later(errorMs), weight: share })),
    );
  };
  return (starts) => {
    while (gaps.length <= starts) gaps.push(nextGap());
    return gaps[starts] as StartDistribution;
  };
}
