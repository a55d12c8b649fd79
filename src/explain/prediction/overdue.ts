import type { KnownSyncs } from "../../kubelet/known-syncs.ts";
import { shareStillDown } from "../../kubelet/restart-window.ts";
import type { RetryRule } from "../../kubelet/retry-rule.ts";
import { LATEST_MS, STEP_MS } from "../../kubelet/start-distribution.ts";
import type { Lateness } from "../../kubelet/start-lateness.ts";
import { instantIn } from "../answer/excerpt.ts";
import type { ContainerExplanation, Overdue, Window } from "../answer/explanation.ts";
import { greatestOf } from "../observed/extremes.ts";
import type { WeighedWait } from "../replay/current-wait.ts";
import type { PodContext } from "./pod-context.ts";

/** When a container starts next, or by when it should have started; neither if nothing can be said. */
export type NextStart = Pick<ContainerExplanation, "nextRestart" | "overdue">;

/** Nothing starts, or nobody can say when. */
export const NO_NEXT_START: NextStart = { nextRestart: null, overdue: null };

/**
 * From `startedAt` to the status in the API: relist, sync and update. On nodes that are not overloaded 99 of 100 starts took
 * less (measured on v1.31 to v1.37).
 */
export const SHOWN_AFTER_MS = 2_000;

/** The restart is overdue when so little is left of the probability that it has not come yet. */
const LEFT = 0.01;
const SECOND_MS = 1_000;

/**
 * By when 99 of 100 restarts have come, over all the waits that may be in force. `syncsBefore` gives the syncs that are known
 * up to an instant: one that came after the end of a wait has not ended that wait, so it is another's.
 */
export function restartExpectedBy(
  possible: readonly WeighedWait[],
  syncsBefore: (limitMs: number) => KnownSyncs,
  siblingsPlannedAtMs: readonly number[],
  lateness: Lateness,
  rule: RetryRule,
): number {
  const weighed = possible.map(({ wait: { readyAtMs, plannedAtMs }, share }) => ({
    view: { readyAtMs, plannedAtMs, siblingsPlannedAtMs, lateness, ...syncsBefore(readyAtMs) },
    share,
  }));
  const leftAt = (second: number) =>
    weighed.reduce((sum, { view, share }) => sum + share * shareStillDown(view, rule, second * SECOND_MS), 0);
  const ends = weighed.map(({ view }) => view.readyAtMs);
  let before = Math.floor(Math.min(...ends) / SECOND_MS);
  let after = Math.ceil((Math.max(...ends) + LATEST_MS + lateness.length * STEP_MS) / SECOND_MS);
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (leftAt(middle) < LEFT) after = middle;
    else before = middle;
  }
  return after * SECOND_MS;
}

/** The window until the start must show in the API, or after that the start as overdue. */
export function dueBy(
  window: Window,
  expectedByMs: number,
  context: PodContext,
  shownAfterMs = SHOWN_AFTER_MS,
): NextStart {
  if (context.atMs < expectedByMs + shownAfterMs) return { nextRestart: window, overdue: null };
  return { nextRestart: null, overdue: { expectedByMs, check: whatToCheck(expectedByMs, context) } };
}

/** Where the reason of a late restart is: the kubelet, its node, or a status that is older than `at`. */
function whatToCheck(expectedByMs: number, { observed, atBasis }: PodContext): string {
  const isReady = observed.node === null ? ", and whether it is Ready" : "";
  const node = `check the kubelet and the container runtime on ${observed.pod.nodeName === null ? "its node" : `node ${observed.pod.nodeName}`}${isReady}`;
  const newestMs = greatestOf(
    observed.events.flatMap(({ lastAtMs }) => lastAtMs ?? []),
    0,
  );
  const later = newestMs > expectedByMs ? `its events go on until ${instantIn(newestMs)}` : null;
  if (atBasis === "newest-input" && later === null)
    return `this record is older than the rest of the input, or the kubelet does not work: fetch the pod again; if nothing has changed, ${node}`;
  if (atBasis === "server-clock") return later === null ? node : `${later}, but its status is older: ${node}`;
  return later === null
    ? `fetch the pod again, as this status may be old; if it is not, ${node}`
    : `${later}, so its status is old: fetch the pod again`;
}

/** The later of two, if either is overdue. */
export function laterOverdue(a: Overdue, b: Overdue | null): Overdue {
  return b !== null && b.expectedByMs > a.expectedByMs ? b : a;
}
