import type { Wait } from "../../kubelet/do-backoff.ts";
import { ceilToSecond, floorToSecond, SECOND_MS } from "../../kubelet/go-duration.ts";
import { RELIST_MS, type RetryRule } from "../../kubelet/retry-rule.ts";
import { CONFIDENCE, StartDistribution, windowFrom } from "../../kubelet/start-distribution.ts";
import { type KnownSyncs, startsAfter, syncAtExit } from "../../kubelet/starts-after.ts";
import type { ContainerExplanation, Overdue, Window } from "../answer/explanation.ts";
import { hasAllEvents, isBackOffEvent } from "../history/events.ts";
import type { WeighedWait } from "../replay/beliefs.ts";
import type { CurrentWait } from "../replay/current-wait.ts";
import { type ContainerCase, type PodContext, siblingsOf } from "./pod-context.ts";

const NEGLIGIBLE_DELAY_SHARE = 0.03;

/** If all likely starts should have come by now, the window lasts until `overdueAtMs`. */
export function startAfterWait(
  current: CurrentWait,
  syncs: KnownSyncs,
  { policy, atMs }: PodContext,
  overdueAtMs: number,
): ExpectedStart {
  const likely = current.byDelay.filter(({ share }) => share >= NEGLIGIBLE_DELAY_SHARE);
  const parts = likely.flatMap(({ wait, share }) => {
    const starts = startsFromNow(wait, syncs, policy.retry, atMs);
    return starts === null ? [] : [{ starts, weight: share }];
  });
  if (parts.length === 0) {
    const { readyAtMs } = current.likeliest;
    return { nextRestart: windowFrom(Math.max(atMs, readyAtMs), overdueAtMs), overdue: null };
  }
  const starts = StartDistribution.mixed(parts);
  return { nextRestart: windowOf(starts, atMs), overdue: null, starts };
}

/**
 * Null if the start almost certainly came before `atMs`. Ignores `noSyncUntilMs` if the result would otherwise be null.
 */
function startsFromNow(wait: Wait, syncs: KnownSyncs, rule: RetryRule, atMs: number): StartDistribution | null {
  const starts = startsAfter(wait, syncs, rule).given(atMs);
  return starts ?? startsAfter(wait, { ...syncs, noSyncUntilMs: null }, rule).given(atMs);
}

const EARLY_SHARE = 0.001;

export function windowOf(starts: StartDistribution, atMs: number): Window {
  const notBeforeMs = Math.max(atMs, floorToSecond(starts.quantile(EARLY_SHARE)));
  return windowFrom(notBeforeMs, ceilToSecond(starts.quantile(CONFIDENCE)));
}

/**
 * Starts and exits of other containers cause syncs, too. Another container that runs and has restarted before may exit
 * at any time. If there is such a container, only one past sync counts: the sync at the exit of `container` itself.
 */
export function knownSyncs(container: ContainerCase, finishedAtMs: number, context: PodContext): KnownSyncs {
  const { observed, policy, atMs } = context;
  const siblings = siblingsOf(container, context);
  const siblingsPlannedAtMs = siblings.flatMap(({ wait }) => (wait === null ? [] : [wait.likeliest.plannedAtMs]));
  let sync = { ...syncAtExit(finishedAtMs), siblingsPlannedAtMs };
  if (siblings.some(isRestless)) return sync;
  const offer = (syncedAtMs: number | null, spreadMs: number) => {
    if (syncedAtMs !== null && syncedAtMs > sync.syncedAtMs && syncedAtMs <= atMs)
      sync = { ...sync, syncedAtMs, spreadMs };
  };
  for (const run of context.containers.flatMap(({ facts }) => facts.runs)) {
    offer(run.startedAtMs, SECOND_MS + RELIST_MS);
    offer(run.finishedAtMs, SECOND_MS + RELIST_MS);
  }
  for (const event of observed.events.filter(isBackOffEvent)) offer(event.lastAtMs, SECOND_MS);
  // Assumed: the kubelet's second sync after an exit writes CrashLoopBackOff into the status, so while the status shows
  // the exit, the second sync has not come.
  const isFirstLatest = container.facts.status?.state?.kind === "terminated";
  const hasLater = observed.events.some(({ reason, lastAtMs }) => reason === "BackOff" && (lastAtMs ?? 0) > atMs);
  const isQuiet = !hasLater && (isFirstLatest || hasAllEvents(observed, "Warning", policy.traits));
  return { ...sync, noSyncUntilMs: isQuiet ? atMs - SECOND_MS : null };
}

function isRestless({ facts: { isRunning, status } }: ContainerCase): boolean {
  return isRunning && (status?.restartCount ?? 0) > 0;
}

export interface NextStart extends Pick<ContainerExplanation, "nextRestart" | "overdue"> {
  /** The distribution of the start's time, if known. */
  readonly starts?: StartDistribution;
}

type ExpectedStart = NextStart & { readonly nextRestart: Window };

export const NO_NEXT_START: NextStart = { nextRestart: null, overdue: null };

/**
 * Assumed maximum time from `startedAt` until the API shows the start: relist, sync and update. On nodes that are not
 * overloaded, 99 of 100 starts took less (measured on v1.31 to v1.37).
 */
export const SHOWN_AFTER_MS = 2_000;

const OVERDUE_SHARE = 0.01;

/**
 * Estimates the instant by which the container has started with a probability of 99%. The first sync after the end of
 * the true wait starts the container. So each possible wait is combined only with syncs before the end of that wait.
 */
export function restartExpectedBy(
  possible: readonly WeighedWait[],
  syncsBefore: (limitMs: number) => KnownSyncs,
  rule: RetryRule,
): number {
  const parts = possible.map(({ wait, share }) => {
    return { starts: startsAfter(wait, syncsBefore(wait.readyAtMs), rule), weight: share };
  });
  return ceilToSecond(StartDistribution.mixed(parts).quantile(1 - OVERDUE_SHARE));
}

export function dueBy(window: Window, expectedByMs: number, { atMs }: PodContext): NextStart {
  return atMs < expectedByMs + SHOWN_AFTER_MS ? { nextRestart: window, overdue: null } : overdueSince(expectedByMs);
}

export function overdueSince(expectedByMs: number): NextStart {
  return { nextRestart: null, overdue: { expectedByMs } };
}

/**
 * Combines the predictions for the newest and for an older kubelet, which are assumed to be equally likely. Returns
 * `older` itself if `newest` is overdue and `older` predicts a start.
 */
export function startOfEither(newest: NextStart, older: NextStart, atMs: number): NextStart {
  const { nextRestart, overdue } = newest;
  if (overdue !== null && older.nextRestart !== null) return older;
  if (overdue !== null) return { ...newest, overdue: laterOverdue(overdue, older.overdue) };
  if (nextRestart === null || older.nextRestart === null) return newest;
  if (newest.starts === undefined || older.starts === undefined) {
    const likelyByMs = Math.max(nextRestart.likelyByMs, older.nextRestart.likelyByMs);
    return { nextRestart: { ...nextRestart, likelyByMs }, overdue };
  }
  const starts = StartDistribution.mixed([newest.starts, older.starts].map((each) => ({ starts: each, weight: 1 })));
  return { nextRestart: windowOf(starts, atMs), overdue, starts };
}

export function laterOverdue(a: Overdue, b: Overdue | null): Overdue {
  return b !== null && b.expectedByMs > a.expectedByMs ? b : a;
}
