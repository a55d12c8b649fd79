import type { Wait } from "../../kubelet/do-backoff.ts";
import type { CrashLoopPolicy } from "../../kubelet/policy.ts";
import { type RestartWindow, restartWindow, shareStillDown } from "../../kubelet/restart-window.ts";
import { type KnownSyncs, RELIST_MS, type RetryRule, SECOND_MS, syncAtExit } from "../../kubelet/retry-rule.ts";
import { LATEST_MS, STEP_MS } from "../../kubelet/start-distribution.ts";
import type { Lateness } from "../../kubelet/start-lateness.ts";
import { instantIn } from "../answer/excerpt.ts";
import type { ContainerExplanation, Overdue, Window } from "../answer/explanation.ts";
import { areEventsComplete } from "../history/events.ts";
import { newestAtMs } from "../observed/lookups.ts";
import type { CurrentWait, WeighedWait } from "../replay/current-wait.ts";
import type { ContainerFacts } from "../replay/facts.ts";
import type { PodContext } from "./pod-context.ts";

/** Share of all starts that a window must hold; what is lost to truncation and slow nodes comes on top. */
export const CONFIDENCE = 0.95;
/** Delays that are less likely than this do not bear on the window. */
const NEGLIGIBLE_SHARE = 0.03;

/** Shorter delays that are more likely than this widen the window; less likely ones cost confidence. */
const MOST_LEFT_OUT = 0.1;

/**
 * When the next instance starts. Its early edge is that of the likeliest delay; longer delays that may be in force instead
 * widen it to their late edge, shorter ones to their early edge, unless they are too unlikely. By `overdueAtMs` it has started, or is overdue.
 */
export function startWindow(
  current: CurrentWait,
  syncs: KnownSyncs,
  siblingsPlannedAtMs: readonly number[],
  lateness: Lateness,
  policy: CrashLoopPolicy,
  atMs: number,
  overdueAtMs: number,
): Window {
  const windowFor = (wait: Wait) => windowOfWait(wait, syncs, siblingsPlannedAtMs, lateness, policy, atMs, overdueAtMs);
  const { notBeforeMs, likelyByMs } = windowFor(current.wait);
  const others = current.others.filter(({ share }) => share >= NEGLIGIBLE_SHARE);
  const longer = others.filter(({ wait }) => wait.delayMs > current.wait.delayMs);
  const ends = longer.map(({ wait }) => windowFor(wait).likelyByMs);
  const shorter = others.filter(({ wait }) => wait.delayMs < current.wait.delayMs);
  const starts = isLeftOpen(current) ? shorter.map(({ wait }) => windowFor(wait).notBeforeMs) : [];
  const confidence = isLeftOpen(current) ? CONFIDENCE : CONFIDENCE * (1 - shareOfShorterDelays(current));
  return {
    notBeforeMs: Math.min(notBeforeMs, ...starts),
    likelyByMs: Math.max(likelyByMs, ...ends),
    confidence: Math.round(confidence * 100) / 100,
  };
}

/** Whether a shorter delay may well be in force, so that the window begins at its end. */
export function isLeftOpen(current: CurrentWait): boolean {
  return shareOfShorterDelays(current) > MOST_LEFT_OUT;
}

/** How likely it is that a shorter delay is in force: what a window does not cover that begins with the likeliest one. */
export function shareOfShorterDelays({ wait: { delayMs }, others }: CurrentWait): number {
  const shorter = others.filter(({ wait, share }) => share >= NEGLIGIBLE_SHARE && wait.delayMs < delayMs);
  return shorter.reduce((sum, { share }) => sum + share, 0);
}

/** Past the retry rule's last word the start is slow, or has not shown yet. */
function windowOfWait(
  { readyAtMs, plannedAtMs }: Wait,
  syncs: KnownSyncs,
  siblingsPlannedAtMs: readonly number[],
  lateness: Lateness,
  policy: CrashLoopPolicy,
  atMs: number,
  overdueAtMs: number,
): RestartWindow {
  const view = { readyAtMs, plannedAtMs, siblingsPlannedAtMs, lateness, ...syncs };
  const known =
    restartWindow(view, policy.retry, atMs, CONFIDENCE) ??
    restartWindow({ ...view, noSyncUntilMs: null }, policy.retry, atMs, CONFIDENCE);
  const notBeforeMs = Math.max(atMs, readyAtMs);
  return known ?? { notBeforeMs, likelyByMs: Math.max(notBeforeMs, overdueAtMs) };
}

/**
 * The kubelet's last known sync of the pod, at or after `finishedAtMs` of the container that waits. Each start or exit of
 * any of its containers makes it sync, and each sync that finds a container in back-off sends a BackOff event, while the
 * burst of events lasts. A sibling that runs and has exited before will exit again, and so plan the syncs anew: then only
 * the first sync is sure.
 */
export function knownSyncs(
  facts: ContainerFacts,
  siblings: readonly ContainerFacts[],
  finishedAtMs: number,
  { observed, policy, atMs }: PodContext,
): KnownSyncs {
  let sync = syncAtExit(finishedAtMs);
  if (siblings.some(isRestless)) return sync;
  const offer = (syncedAtMs: number | null, spreadMs: number) => {
    if (syncedAtMs !== null && syncedAtMs > sync.syncedAtMs && syncedAtMs <= atMs)
      sync = { syncedAtMs, spreadMs, noSyncUntilMs: null };
  };
  for (const run of [facts, ...siblings].flatMap(({ runs }) => runs)) {
    offer(run.startedAtMs, SECOND_MS + RELIST_MS);
    offer(run.finishedAtMs, SECOND_MS + RELIST_MS);
  }
  for (const event of observed.events) {
    if (event.reason === "BackOff" && event.type === "Warning") offer(event.lastAtMs, SECOND_MS);
  }
  // The first sync writes the exit into the status, the second the wait: while the exit shows, there was no second.
  const isFirstLatest = facts.status?.state?.kind === "terminated";
  const hasLater = observed.events.some(({ reason, lastAtMs }) => reason === "BackOff" && (lastAtMs ?? 0) > atMs);
  const isQuiet = !hasLater && (isFirstLatest || areEventsComplete(observed.events, "Warning", policy.traits));
  return { ...sync, noSyncUntilMs: isQuiet ? atMs - SECOND_MS : null };
}

function isRestless({ isRunning, status }: ContainerFacts): boolean {
  return isRunning && (status?.restartCount ?? 0) > 0;
}

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
  const newestMs = newestAtMs(observed.events);
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
