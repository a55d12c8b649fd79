import { delayAfter } from "../../backoff/curve.ts";
import type { CrashLoopPolicy } from "../../kubelet/crash-loop-policy.ts";
import { isOfRestartAll } from "../../kubelet/exit-codes.ts";
import { roundToSecond } from "../../kubelet/go-duration.ts";
import { longestLatenessMs } from "../../kubelet/retry-rule.ts";
import { windowFrom } from "../../kubelet/start-distribution.ts";
import type { Window } from "../answer/explanation.ts";
import { mayRestartAll } from "../history/restart-rules.ts";
import { runLengthMs } from "../history/runs.ts";
import { acceptedAtMs } from "../observed/lookups.ts";
import { runningEntry } from "../replay/replayed-container.ts";
import { type ContainerCase, type PodContext, siblingsOf } from "./pod-context.ts";
import { dueBy, laterOverdue, type NextStart, NO_NEXT_START } from "./start-window.ts";

interface HoldingSidecar {
  readonly container: ContainerCase;
  readonly next: NextStart;
}

/**
 * Returns the sidecar that must run before kubelets v1.36 and older start the app container; null if an app container
 * runs. Assumed: it is the pod's last init container, if that is a sidecar that has run.
 */
export function holdingSidecar(app: ContainerCase, { containers, policy }: PodContext): ContainerCase | null {
  if (!policy.traits.sidecarsHoldBack || app.facts.spec.type !== "app") return null;
  if (containers.some(({ facts }) => facts.spec.type === "app" && facts.isRunning)) return null;
  const last = containers.findLast(({ facts }) => facts.spec.type === "init" || facts.spec.type === "sidecar");
  return last?.facts.spec.type === "sidecar" && last.facts.runs.length > 0 ? last : null;
}

/** Assumed maximum time from a sidecar's start to the kubelet's next sync of the pod. */
const AFTER_START_MS = 3_000;
/** Bounds the search. Even a delay of 1s, doubled 12 times, is longer than 5m. */
const MOST_CYCLES = 12;

/**
 * `own` is the start if no sidecar held the container back. Even if `own` is overdue, the result is overdue only if the
 * sidecar is overdue or running.
 */
export function heldBackStart(own: NextStart, sidecar: HoldingSidecar, context: PodContext): NextStart {
  const { nextRestart, overdue } = sidecar.next;
  if (own.overdue === null) {
    // If the sidecar is overdue, nothing shows how long it will hold the start back.
    if (own.nextRestart === null || overdue !== null) return own;
    return { nextRestart: heldBackWindow(own.nextRestart, sidecar, context), overdue: null };
  }
  if (overdue !== null) return { nextRestart: null, overdue: laterOverdue(own.overdue, overdue) };
  const { atMs } = context;
  if (nextRestart !== null)
    return { nextRestart: heldBackWindow(windowFrom(atMs, atMs), sidecar, context), overdue: null };
  if (!sidecar.container.facts.isRunning) return NO_NEXT_START;
  const [startedAtMs] = upSince(sidecar);
  const expectedByMs = Math.max(own.overdue.expectedByMs, startedAtMs + AFTER_START_MS);
  return dueBy(windowFrom(atMs, expectedByMs), expectedByMs, context);
}

/**
 * `own`: the window if no sidecar held the start back. Assumed: the sidecar's next runs are as long as its last run,
 * and its delays double up to the maximum.
 */
function heldBackWindow(own: Window, sidecar: HoldingSidecar, { policy, atMs }: PodContext): Window {
  const { container } = sidecar;
  const runMs = lastRunMs(container);
  let delayMs = delayOfNextExit(container, policy, atMs);
  let [fromMs, toMs] = upSince(sidecar);
  for (let cycle = 0; cycle < MOST_CYCLES; cycle++) {
    const downMs = fromMs + runMs;
    const isUpInTime = own.notBeforeMs >= toMs && own.likelyByMs <= downMs;
    if (isUpInTime) return own;
    if (own.notBeforeMs <= toMs) {
      const likelyByMs = Math.max(Math.min(own.likelyByMs, downMs), toMs + AFTER_START_MS);
      return windowFrom(Math.max(own.notBeforeMs, fromMs), likelyByMs);
    }
    const nextToMs = toMs + runMs + delayMs + longestLatenessMs(policy.retry, delayMs);
    if (own.notBeforeMs < downMs) return windowFrom(own.notBeforeMs, nextToMs + AFTER_START_MS);
    [fromMs, toMs] = [downMs + delayMs, nextToMs];
    delayMs = delayAfter(delayMs, policy);
  }
  return own;
}

function upSince({ container, next: { nextRestart } }: HoldingSidecar): [number, number] {
  if (nextRestart !== null) return [nextRestart.notBeforeMs, nextRestart.likelyByMs];
  const startedAtMs = container.facts.runs.at(-1)?.startedAtMs ?? 0;
  return [startedAtMs, startedAtMs];
}

function lastRunMs({ facts }: ContainerCase): number {
  const last = facts.runs.findLast((run) => run.finishedAtMs !== null && run.startedAtMs !== null);
  return last === undefined ? Number.POSITIVE_INFINITY : runLengthMs(last);
}

function delayOfNextExit({ facts, wait }: ContainerCase, policy: CrashLoopPolicy, atMs: number): number {
  if (wait === null) return runningEntry(facts, policy, atMs)?.delayMs ?? 0;
  const isFresh = wait.likeliest.delayMs === 0 || wait.likeliest.isDropped;
  return isFresh ? policy.initialMs : delayAfter(wait.likeliest.delayMs, policy);
}

/** A cycle in which exits of `container` make the kubelet restart all containers of the pod (RestartAllContainers). */
export interface RestartAllCycle {
  readonly container: string;
  readonly dueAtMs: number;
  readonly averageMs: number;
}

const ENOUGH_RESTARTS = 2;
/** Assumed: a cycle differs from the average by at most this time plus `CYCLE_SLACK_SHARE` of the average. */
const CYCLE_SLACK_MS = 4_000;
const CYCLE_SLACK_SHARE = 0.1;

export function restartAllCycle(own: ContainerCase, context: PodContext): RestartAllCycle | null {
  const { observed, policy, atMs } = context;
  const trigger = siblingsOf(own, context).find(({ facts }) => {
    return mayRestartAll(facts.spec) && facts.isRunning && isOfRestartAll(facts.lastExit);
  });
  const bornAtMs = acceptedAtMs(observed.pod);
  const startedAtMs = trigger?.facts.runs.at(-1)?.startedAtMs ?? null;
  const restarts = trigger?.facts.status?.restartCount ?? 0;
  if (!policy.traits.hasRestartAll || trigger === undefined || bornAtMs === null || startedAtMs === null) return null;
  if (restarts < ENOUGH_RESTARTS) return null;
  const averageMs = (startedAtMs - bornAtMs) / restarts;
  const dueAtMs = roundToSecond(startedAtMs + averageMs);
  return dueAtMs + slackOf(averageMs) < atMs ? null : { container: trigger.facts.spec.name, dueAtMs, averageMs };
}

export function windowInCycle(own: Window, { dueAtMs, averageMs }: RestartAllCycle, atMs: number): Window {
  const slackMs = slackOf(averageMs);
  if (own.likelyByMs < dueAtMs - slackMs) return own;
  const notBeforeMs = Math.max(atMs, Math.min(own.notBeforeMs, dueAtMs - slackMs));
  const likelyByMs = Math.max(atMs, own.notBeforeMs > dueAtMs + slackMs ? dueAtMs + slackMs : own.likelyByMs);
  return windowFrom(notBeforeMs, likelyByMs);
}

function slackOf(averageMs: number): number {
  return CYCLE_SLACK_MS + averageMs * CYCLE_SLACK_SHARE;
}
