import type { Wait } from "../../kubelet/do-backoff.ts";
import { type KnownSyncs, RELIST_MS, SECOND_MS, syncAtExit } from "../../kubelet/known-syncs.ts";
import type { CrashLoopPolicy } from "../../kubelet/policy.ts";
import { type RestartWindow, restartWindow } from "../../kubelet/restart-window.ts";
import type { Lateness } from "../../kubelet/start-lateness.ts";
import type { Window } from "../answer/explanation.ts";
import { areEventsComplete } from "../history/event-budget.ts";
import type { CurrentWait } from "../replay/current-wait.ts";
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
  const windowFor = (wait: Wait) => windowOf(wait, syncs, siblingsPlannedAtMs, lateness, policy, atMs, overdueAtMs);
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
function windowOf(
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
