import { SECOND_MS } from "../../kubelet/go-duration.ts";
import { RESTART_ALL } from "../../kubelet/restart-policy.ts";
import { type Lateness, windowFrom } from "../../kubelet/start-distribution.ts";
import { runLengthMs } from "../history/runs.ts";
import type { PodObservation } from "../observed/observation.ts";
import type { CurrentWait } from "../replay/current-wait.ts";
import type { ReplayedContainer } from "../replay/replayed-container.ts";
import { awaitsRestart } from "../triage.ts";
import { nextAttempt, startWithoutExit } from "./next-attempt.ts";
import { isFailingToStart, isPredictable, obstacleWindow } from "./obstacle.ts";
import { type ContainerCase, type PodContext, siblingsOf } from "./pod-context.ts";
import { heldBackStart, holdingSidecar, restartAllCycle, windowInCycle } from "./sibling-starts.ts";
import { begunStart, startLateness } from "./start-pace.ts";
import {
  dueBy,
  knownSyncs,
  type NextStart,
  NO_NEXT_START,
  overdueSince,
  restartExpectedBy,
  SHOWN_AFTER_MS,
  startAfterWait,
} from "./start-window.ts";

export function endOfPodBeforeRestart(
  container: Pick<ContainerCase, "wait" | "state">,
  { pod }: PodObservation,
): number | null {
  const { deadlineAtMs } = pod;
  if (deadlineAtMs === undefined || container.wait === null || !awaitsRestart(container)) return null;
  return deadlineAtMs <= container.wait.likeliest.readyAtMs ? deadlineAtMs : null;
}

export function nextRestartOf(container: ContainerCase, context: PodContext): NextStart {
  const { facts, state, wait } = container;
  if (!isPredictable(context) || endOfPodBeforeRestart(container, context.observed) !== null) return NO_NEXT_START;
  if (state === "starting") {
    const isSiblingWaiting = siblingsOf(container, context).some((sibling) => sibling.wait !== null);
    return isFailingToStart(facts)
      ? nextAttempt(facts, isSiblingWaiting, context)
      : { nextRestart: obstacleWindow(container.obstacle, context), overdue: null };
  }
  if (!awaitsRestart(container)) return NO_NEXT_START;
  const trigger = [container, ...context.containers].find(isRestartingAll);
  if (trigger !== undefined) return startWithAll(trigger, context);
  if (wait === null) return startWithoutExit(container, context);
  const own = startWithoutSiblings(container, wait, context);
  const cycle = restartAllCycle(container, context);
  if (cycle !== null && own.nextRestart !== null)
    return { nextRestart: windowInCycle(own.nextRestart, cycle, context.atMs), overdue: null };
  const sidecar = holdingSidecar(container, context);
  if (sidecar === null || cycle !== null) return own;
  return heldBackStart(own, { container: sidecar, next: nextRestartOf(sidecar, context) }, context);
}

function isRestartingAll({ facts }: ContainerCase): boolean {
  return facts.decision === "restart-all" && !facts.isRunning;
}

function startWithAll({ facts }: ContainerCase, context: PodContext): NextStart {
  const { atMs, observed } = context;
  const usualMs = (facts.runs.at(-1)?.finishedAtMs ?? atMs) + RESTART_ALL.latestMs;
  const latestMs = usualMs + observed.pod.gracePeriodMs;
  return dueBy(windowFrom(atMs, atMs + SHOWN_AFTER_MS < usualMs ? usualMs : latestMs), latestMs, context);
}

export function startWithoutSiblings(
  container: ContainerCase,
  wait: CurrentWait,
  context: PodContext,
  lateness?: readonly Lateness[],
): NextStart {
  const { policy, atMs } = context;
  const { facts } = container;
  const { finishedAtMs } = wait;
  const begun = begunStart(facts, finishedAtMs, context);
  const late = { lateness: lateness ?? startLateness(facts, begun, context) };
  const current = begun === null ? wait : endedAt(begun.atMs - SECOND_MS, wait);
  const syncsBefore = (limitMs: number) =>
    begun === null
      ? { ...knownSyncs(container, finishedAtMs, { ...context, atMs: Math.min(limitMs, atMs) }), ...late }
      : { syncedAtMs: begun.atMs, spreadMs: SECOND_MS, noSyncUntilMs: null, siblingsPlannedAtMs: [], ...late };
  const { readyAtMs } = current.likeliest;
  if (atMs <= readyAtMs) return startAfterWait(current, syncsBefore(atMs), context, readyAtMs);
  const expectedByMs = restartExpectedBy(current.possible, syncsBefore, policy.retry);
  const shownAfterMs = SHOWN_AFTER_MS + hiddenByHookMs(facts, context);
  if (atMs >= expectedByMs + shownAfterMs) return overdueSince(expectedByMs);
  return startAfterWait(current, syncsBefore(atMs), context, expectedByMs + shownAfterMs);
}

/** A sync has already begun the start, so the wait was over at `atMs`, whatever its delay was. */
function endedAt(atMs: number, current: CurrentWait): CurrentWait {
  const likeliest = { ...current.likeliest, readyAtMs: atMs, plannedAtMs: atMs };
  return {
    ...current,
    likeliest,
    byDelay: [{ wait: likeliest, share: current.share }],
    possible: [{ wait: likeliest, share: 1 }],
  };
}

/** Until the postStart hook has ended, the status may not show the start (see `hookRunsSince`, start-pace.ts). */
function hiddenByHookMs({ spec, runs }: ReplayedContainer, { observed }: PodContext): number {
  if (!spec.hasPostStart) return 0;
  const last = runs.findLast(({ finishedAtMs }) => finishedAtMs !== null);
  const lastMs = last?.cause.cause === "post-start-hook" ? runLengthMs(last) : 0;
  return Math.max(observed.pod.gracePeriodMs, lastMs);
}
