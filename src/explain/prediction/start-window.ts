import type { Wait } from "../../kubelet/do-backoff.ts";
import { RELIST_MS, type RetryRule, SECOND_MS, syncAtExit } from "../../kubelet/retry-rule.ts";
import { StartDistribution } from "../../kubelet/start-distribution.ts";
import { startsAfter, type WaitInView } from "../../kubelet/starts-after.ts";
import type { ContainerExplanation, Overdue, Window } from "../answer/explanation.ts";
import { hasAllEvents } from "../history/events.ts";
import { totalOf } from "../replay/beliefs.ts";
import type { CurrentWait, WeighedWait } from "../replay/current-wait.ts";
import { type ContainerCase, type PodContext, siblingsOf } from "./pod-context.ts";

/** The probability with which a container starts in its window. */
export const CONFIDENCE = 0.95;
/** Delays with a smaller probability than this do not change the window. */
const NEGLIGIBLE_SHARE = 0.03;
/** Shorter delays widen the window if their total probability is above this; else they lower its confidence. */
const MOST_LEFT_OUT = 0.1;

/** The facts about a wait besides its end: the kubelet's syncs, other containers' waits, and how late starts are. */
type ViewOfSyncs = Required<Omit<WaitInView, "readyAtMs" | "plannedAtMs">>;

/**
 * Returns the window of the next start, from the end of the likeliest delay. Longer possible delays move its end, and
 * shorter ones its beginning, unless they are too unlikely. A late start is awaited until `overdueAtMs`.
 */
export function startWindow(
  current: CurrentWait,
  syncs: ViewOfSyncs,
  { policy, atMs }: PodContext,
  overdueAtMs: number,
): Window {
  const windowFor = ({ readyAtMs, plannedAtMs }: Wait) => {
    const starts = startsFromNow({ readyAtMs, plannedAtMs, ...syncs }, policy.retry, atMs);
    return starts === null ? windowFrom(Math.max(atMs, readyAtMs), overdueAtMs) : windowOf(starts, atMs);
  };
  const { notBeforeMs, likelyByMs } = windowFor(current.wait);
  const { delayMs } = current.wait;
  const longer = current.others.filter(({ wait, share }) => share >= NEGLIGIBLE_SHARE && wait.delayMs > delayMs);
  const isOpen = isLeftOpen(current);
  const starts = isOpen ? shorterDelays(current).map(({ wait }) => windowFor(wait).notBeforeMs) : [];
  const confidence = isOpen ? CONFIDENCE : CONFIDENCE * (1 - shareOfShorterDelays(current));
  return {
    notBeforeMs: Math.min(notBeforeMs, ...starts),
    likelyByMs: Math.max(likelyByMs, ...longer.map(({ wait }) => windowFor(wait).likelyByMs)),
    confidence: Math.round(confidence * 100) / 100,
  };
}

/** Returns when the start comes, given that there was none before `atMs`; null if it must have come. */
export function startsFromNow(view: WaitInView, rule: RetryRule, atMs: number): StartDistribution | null {
  return startsAfter(view, rule).given(atMs) ?? startsAfter({ ...view, noSyncUntilMs: null }, rule).given(atMs);
}

/** The smallest share of starts that come before a window. */
const LEFT_BEFORE = 0.001;

/** Returns the window of a start: two quantiles, in whole seconds. */
export function windowOf(starts: StartDistribution, atMs: number): Window {
  const notBeforeMs = Math.max(atMs, Math.floor(starts.quantile(LEFT_BEFORE) / SECOND_MS) * SECOND_MS);
  return windowFrom(notBeforeMs, Math.ceil(starts.quantile(CONFIDENCE) / SECOND_MS) * SECOND_MS);
}

/** Whether the window begins at the end of the shortest delay, because shorter delays are too likely to ignore. */
function isLeftOpen(current: CurrentWait): boolean {
  return shareOfShorterDelays(current) > MOST_LEFT_OUT;
}

function shareOfShorterDelays(current: CurrentWait): number {
  return totalOf(shorterDelays(current));
}

function shorterDelays({ wait: { delayMs }, others }: CurrentWait): WeighedWait[] {
  return others.filter(({ wait, share }) => share >= NEGLIGIBLE_SHARE && wait.delayMs < delayMs);
}

/**
 * Returns the kubelet's last known sync of the pod since the exit at `finishedAtMs`, and when the waits of the pod's
 * other containers end. The kubelet syncs the pod after each start or exit of a container. Each sync that finds a
 * container in back-off sends a BackOff event, until the kubelet holds events back. Another running container that has
 * exited before may exit again and change the times of the syncs; then only the sync at the exit is sure.
 */
export function knownSyncs(
  container: ContainerCase,
  finishedAtMs: number,
  context: PodContext,
): Omit<ViewOfSyncs, "lateness"> {
  const { observed, policy, atMs } = context;
  const siblings = siblingsOf(container, context);
  const siblingsPlannedAtMs = siblings.flatMap(({ wait }) => (wait === null ? [] : [wait.wait.plannedAtMs]));
  let sync = syncAtExit(finishedAtMs);
  if (siblings.some(isRestless)) return { ...sync, siblingsPlannedAtMs };
  const offer = (syncedAtMs: number | null, spreadMs: number) => {
    if (syncedAtMs !== null && syncedAtMs > sync.syncedAtMs && syncedAtMs <= atMs)
      sync = { syncedAtMs, spreadMs, noSyncUntilMs: null };
  };
  for (const run of context.containers.flatMap(({ facts }) => facts.runs)) {
    offer(run.startedAtMs, SECOND_MS + RELIST_MS);
    offer(run.finishedAtMs, SECOND_MS + RELIST_MS);
  }
  for (const event of observed.events) {
    if (event.reason === "BackOff" && event.type === "Warning") offer(event.lastAtMs, SECOND_MS);
  }
  // The first sync writes the exit into the status, the second the wait. If the exit still shows, no second has come.
  const isFirstLatest = container.facts.status?.state?.kind === "terminated";
  const hasLater = observed.events.some(({ reason, lastAtMs }) => reason === "BackOff" && (lastAtMs ?? 0) > atMs);
  const isQuiet = !hasLater && (isFirstLatest || hasAllEvents(observed, "Warning", policy.traits));
  return { ...sync, siblingsPlannedAtMs, noSyncUntilMs: isQuiet ? atMs - SECOND_MS : null };
}

function isRestless({ facts: { isRunning, status } }: ContainerCase): boolean {
  return isRunning && (status?.restartCount ?? 0) > 0;
}

export function windowFrom(notBeforeMs: number, likelyByMs: number): Window {
  return { notBeforeMs, likelyByMs: Math.max(notBeforeMs, likelyByMs), confidence: CONFIDENCE };
}

/** When a container starts next, or by when it should have started; both null if that is unknown. */
export type NextStart = Pick<ContainerExplanation, "nextRestart" | "overdue">;

export const NO_NEXT_START: NextStart = { nextRestart: null, overdue: null };

/**
 * The time from `startedAt` until the API shows the start: relist, sync and update. On nodes that are not overloaded,
 * 99 of 100 starts took less (measured on v1.31 to v1.37).
 */
export const SHOWN_AFTER_MS = 2_000;

/** A restart is overdue once a smaller share of restarts than this comes even later. */
const LEFT = 0.01;

/**
 * Returns the instant by which 99 of 100 restarts have come, over all possible waits. For each wait only the syncs
 * before its end count: a later sync that started nothing would show that another wait is in force.
 */
export function restartExpectedBy(
  possible: readonly WeighedWait[],
  syncsBefore: (limitMs: number) => ViewOfSyncs,
  rule: RetryRule,
): number {
  const parts = possible.map(({ wait: { readyAtMs, plannedAtMs }, share }) => {
    const starts = startsAfter({ readyAtMs, plannedAtMs, ...syncsBefore(readyAtMs) }, rule);
    return { starts, weight: share };
  });
  return Math.ceil(StartDistribution.mixed(parts).quantile(1 - LEFT) / SECOND_MS) * SECOND_MS;
}

/** Returns the window until the API must show the start; after that, returns the start as overdue. */
export function dueBy(
  window: Window,
  expectedByMs: number,
  context: PodContext,
  shownAfterMs = SHOWN_AFTER_MS,
): NextStart {
  if (context.atMs < expectedByMs + shownAfterMs) return { nextRestart: window, overdue: null };
  return { nextRestart: null, overdue: { expectedByMs } };
}

export function laterOverdue(a: Overdue, b: Overdue | null): Overdue {
  return b !== null && b.expectedByMs > a.expectedByMs ? b : a;
}
