import { RESTART_ALL } from "../../kubelet/restart-policy.ts";
import { type KnownSyncs, SECOND_MS } from "../../kubelet/retry-rule.ts";
import type { Lateness } from "../../kubelet/start-lateness.ts";
import type { CurrentWait } from "../replay/current-wait.ts";
import type { ContainerFacts } from "../replay/facts.ts";
import { nextAttempt } from "./next-attempt.ts";
import { nodeNotReady, obstacleWindow } from "./obstacle.ts";
import type { JudgedWait, PodContext } from "./pod-context.ts";
import { heldBackStart, holdingSidecar, restartAllCycle, windowInCycle } from "./sibling-starts.ts";
import { type BegunStart, begunStart, startLateness } from "./start-pace.ts";
import {
  CONFIDENCE,
  dueBy,
  knownSyncs,
  type NextStart,
  NO_NEXT_START,
  restartExpectedBy,
  SHOWN_AFTER_MS,
  startWindow,
} from "./start-window.ts";
import { isOver, isScheduled } from "./state.ts";

/** The next pull, where anything is pulled at all. */
export function nextPullOf(next: NextStart, context: PodContext): NextStart {
  return isPredictable(context) ? next : NO_NEXT_START;
}

/** When the next instance starts, or the next attempt comes. */
export function nextRestartOf(judged: JudgedWait, siblings: readonly JudgedWait[], context: PodContext): NextStart {
  const { facts, state, wait } = judged;
  if (!isPredictable(context)) return NO_NEXT_START;
  if (state === "starting") {
    const isBeside = siblings.some((sibling) => sibling.wait !== null);
    return isFailingToStart(facts)
      ? nextAttempt(facts.spec, isBeside, context)
      : { nextRestart: obstacleWindow(judged.obstacle, context), overdue: null };
  }
  if (state !== "backing-off" && state !== "restarting") return NO_NEXT_START;
  const trigger = [judged, ...siblings].find(isRestartingAll);
  if (trigger !== undefined) return startWithAll(trigger, context);
  if (wait === null) return NO_NEXT_START;
  const own = ownStart(facts, wait, siblings, context);
  const cycle = restartAllCycle(siblings, context);
  if (cycle !== null && own.nextRestart !== null)
    return { nextRestart: windowInCycle(own.nextRestart, cycle, context.atMs), overdue: null };
  const sidecar = holdingSidecar(judged, siblings, context.policy);
  if (sidecar === null || cycle !== null) return own;
  const others = [judged, ...siblings.filter((sibling) => sibling !== sidecar)];
  return heldBackStart(own, { judged: sidecar, next: nextRestartOf(sidecar, others, context) }, context);
}

/** The kubelet answers, has the pod, and still starts containers of it. */
function isPredictable({ observed }: PodContext): boolean {
  return nodeNotReady(observed) === null && !isOver(observed.pod) && isScheduled(observed.pod);
}

function isFailingToStart(facts: ContainerFacts): boolean {
  return facts.waiting === "start-failure" || facts.waiting === "failed-start-with-exit";
}

/** Its exit makes the kubelet remove all containers and start them anew; that is under way. */
function isRestartingAll({ facts }: JudgedWait): boolean {
  return facts.decision === "restart-all" && !facts.isRunning;
}

function startWithAll({ facts }: JudgedWait, context: PodContext): NextStart {
  const { atMs, observed } = context;
  const usualMs = (facts.runs.at(-1)?.finishedAtMs ?? atMs) + RESTART_ALL.latestMs;
  const latestMs = usualMs + observed.pod.gracePeriodMs;
  const likelyByMs = Math.max(atMs, atMs + SHOWN_AFTER_MS < usualMs ? usualMs : latestMs);
  return dueBy({ notBeforeMs: atMs, likelyByMs, confidence: CONFIDENCE }, latestMs, context);
}

/** The start after the container's own wait, with the syncs the pod that are known. While the likeliest wait lasts nothing is late. */
function ownStart(
  facts: ContainerFacts,
  current: CurrentWait,
  siblings: readonly JudgedWait[],
  context: PodContext,
): NextStart {
  const { policy, atMs } = context;
  const begun = begunStart(facts.spec, current.finishedAtMs, context);
  const pod = [facts, ...siblings.map((sibling) => sibling.facts)];
  const lateness = startLateness(facts, pod, begun, context);
  if (begun !== null) return startUnderWay(begun, facts, current, lateness, context);
  const { syncs, siblingsPlannedAtMs } = syncsOf(facts, current, siblings, context);
  const { readyAtMs } = current.wait;
  if (atMs <= readyAtMs) {
    const nextRestart = startWindow(current, syncs, siblingsPlannedAtMs, lateness, policy, atMs, readyAtMs);
    return { nextRestart, overdue: null };
  }
  const syncsBefore = (limitMs: number) =>
    syncsOf(facts, current, siblings, { ...context, atMs: Math.min(limitMs, atMs) }).syncs;
  const expectedByMs = restartExpectedBy(current.possible, syncsBefore, siblingsPlannedAtMs, lateness, policy.retry);
  const shownAfterMs = SHOWN_AFTER_MS + hookMs(facts, context);
  const window = startWindow(current, syncs, siblingsPlannedAtMs, lateness, policy, atMs, expectedByMs + shownAfterMs);
  return dueBy(window, expectedByMs, context, shownAfterMs);
}

/** The start that a sync has begun: the wait is over, whatever it was, and only what the start itself takes is ahead. */
function startUnderWay(
  begun: BegunStart,
  facts: ContainerFacts,
  current: CurrentWait,
  lateness: Lateness,
  context: PodContext,
): NextStart {
  const { policy, atMs } = context;
  const overAtMs = begun.atMs - SECOND_MS;
  const wait = { ...current.wait, readyAtMs: overAtMs, plannedAtMs: overAtMs };
  const syncs = { syncedAtMs: begun.atMs, spreadMs: SECOND_MS, noSyncUntilMs: null };
  const possible = [{ wait, share: 1 }];
  const expectedByMs = restartExpectedBy(possible, () => syncs, [], lateness, policy.retry);
  const shownAfterMs = SHOWN_AFTER_MS + hookMs(facts, context);
  const known = { ...current, wait, others: [], possible };
  const window = startWindow(known, syncs, [], lateness, policy, atMs, expectedByMs + shownAfterMs);
  return dueBy(window, expectedByMs, context, shownAfterMs);
}

/** A postStart hook, and the kill after one that fails, keep the start out of the status: as long as the last time, or for the grace period. */
function hookMs({ spec, runs }: ContainerFacts, { observed }: PodContext): number {
  if (!spec.hasPostStart) return 0;
  const last = runs.findLast(({ finishedAtMs }) => finishedAtMs !== null);
  const isHooks = last?.cause.cause === "post-start-hook";
  const lastMs = isHooks ? (last?.finishedAtMs ?? 0) - (last?.startedAtMs ?? last?.finishedAtMs ?? 0) : 0;
  return Math.max(observed.pod.gracePeriodMs, lastMs);
}

/** The syncs that the window of a container's own wait is counted from, and when the siblings' waits end. */
export function syncsOf(
  facts: ContainerFacts,
  { finishedAtMs }: CurrentWait,
  siblings: readonly JudgedWait[],
  context: PodContext,
): { readonly syncs: KnownSyncs; readonly siblingsPlannedAtMs: readonly number[] } {
  const siblingsPlannedAtMs = siblings.flatMap(({ wait }) => (wait === null ? [] : [wait.wait.plannedAtMs]));
  const others = siblings.map((sibling) => sibling.facts);
  return { syncs: knownSyncs(facts, others, finishedAtMs, context), siblingsPlannedAtMs };
}
