import type { Wait } from "../../kubelet/do-backoff.ts";
import type { KnownLooks } from "../../kubelet/known-looks.ts";
import type { CrashLoopPolicy } from "../../kubelet/policy.ts";
import { type RestartWindow, restartWindow } from "../../kubelet/restart-window.ts";
import type { Window } from "../answer/explanation.ts";
import type { CurrentWait } from "../replay/current-wait.ts";

/** Share of all starts that a window must hold; what is lost to truncation and slow nodes comes on top. */
export const CONFIDENCE = 0.95;
/** Delays that are less likely than this do not bear on the window. */
const NEGLIGIBLE_SHARE = 0.03;

/**
 * When the next instance starts. Its early edge is that of the likeliest delay; longer delays that may be in force instead
 * widen it to their late edge, shorter ones cost confidence. By `overdueAtMs` it has started, or is overdue.
 */
export function startWindow(
  current: CurrentWait,
  looks: KnownLooks,
  siblingsPlannedAtMs: readonly number[],
  policy: CrashLoopPolicy,
  atMs: number,
  overdueAtMs: number,
): Window {
  const windowFor = (wait: Wait) => windowOf(wait, looks, siblingsPlannedAtMs, policy, atMs, overdueAtMs);
  const { notBeforeMs, likelyByMs } = windowFor(current.wait);
  const others = current.others.filter(({ share }) => share >= NEGLIGIBLE_SHARE);
  const longer = others.filter(({ wait }) => wait.delayMs > current.wait.delayMs);
  const ends = longer.map(({ wait }) => windowFor(wait).likelyByMs);
  const confidence = Math.round(CONFIDENCE * (1 - shareOfShorterDelays(current)) * 100) / 100;
  return { notBeforeMs, likelyByMs: Math.max(likelyByMs, ...ends), confidence };
}

/** How likely it is that a shorter delay is in force: what the window does not cover. */
export function shareOfShorterDelays({ wait: { delayMs }, others }: CurrentWait): number {
  const shorter = others.filter(({ wait, share }) => share >= NEGLIGIBLE_SHARE && wait.delayMs < delayMs);
  return shorter.reduce((sum, { share }) => sum + share, 0);
}

/** Past the retry rule's last word the start is slow, or has not shown yet. */
function windowOf(
  { readyAtMs, plannedAtMs }: Wait,
  looks: KnownLooks,
  siblingsPlannedAtMs: readonly number[],
  policy: CrashLoopPolicy,
  atMs: number,
  overdueAtMs: number,
): RestartWindow {
  const view = { readyAtMs, plannedAtMs, siblingsPlannedAtMs, ...looks };
  const known =
    restartWindow(view, policy.retry, atMs, CONFIDENCE) ??
    restartWindow({ ...view, noLookUntilMs: null }, policy.retry, atMs, CONFIDENCE);
  const notBeforeMs = Math.max(atMs, readyAtMs);
  return known ?? { notBeforeMs, likelyByMs: Math.max(notBeforeMs, overdueAtMs) };
}
