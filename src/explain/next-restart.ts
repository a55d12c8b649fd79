import type { JudgedWait } from "./container.ts";
import type { CurrentWait } from "./current-wait.ts";
import type { ImagePull, Window } from "./explanation.ts";
import type { ContainerFacts } from "./facts.ts";
import { nodeNotReady } from "./gaps.ts";
import { heldBackWindow, holdingSidecar } from "./held-back.ts";
import { type KnownLooks, knownLooks } from "./looks.ts";
import { flatRetryWindow } from "./next-attempt.ts";
import { obstacleWindow } from "./obstacle-window.ts";
import type { PodContext } from "./pod-context.ts";
import { restartAllCycle, windowInCycle } from "./restart-all-cycle.ts";
import { CONFIDENCE, startWindow } from "./start-window.ts";
import { isOver } from "./state.ts";

/** RestartAllContainers takes 2–3 s where containers stop when asked (measured on v1.37.1), else their grace period. */
const RESTART_ALL_MS = 6_000;

/** The next pull, where anything is pulled at all. */
export function nextPullOf(imagePull: ImagePull, context: PodContext): Window | null {
  return isPredictable(context) ? imagePull.nextPull : null;
}

/** When the next instance starts, or the next attempt comes; null if none does, or nothing can be told. */
export function nextRestartOf(judged: JudgedWait, siblings: readonly JudgedWait[], context: PodContext): Window | null {
  const { facts, state, wait } = judged;
  const { observed, atMs } = context;
  if (!isPredictable(context)) return null;
  if (state === "starting") {
    return isFailingToStart(facts)
      ? flatRetryWindow(facts.spec, observed, atMs)
      : obstacleWindow(judged.obstacle, context);
  }
  if (state !== "backing-off" && state !== "restarting") return null;
  const trigger = [judged, ...siblings].find(hasRestartedAll);
  if (trigger !== undefined) return restartAllWindow(trigger, atMs);
  if (wait === null) return null;
  const own = ownWindow(facts, wait, siblings, context);
  const cycle = restartAllCycle(siblings, context);
  if (cycle !== null) return windowInCycle(own, cycle, atMs);
  const sidecar = holdingSidecar(judged, siblings, context.policy);
  if (sidecar === null) return own;
  const others = [judged, ...siblings.filter((sibling) => sibling !== sidecar)];
  const nextStart = nextRestartOf(sidecar, others, context);
  return heldBackWindow(own, { judged: sidecar, nextStart }, context.policy);
}

/** The kubelet answers, has the pod, and still starts containers of it. */
function isPredictable({ observed }: PodContext): boolean {
  return nodeNotReady(observed) === null && !isOver(observed.pod) && observed.pod.nodeName !== null;
}

function isFailingToStart(facts: ContainerFacts): boolean {
  return facts.waiting === "start-failure" || facts.waiting === "failed-start-with-exit";
}

/** Its exit makes the kubelet remove all containers and start them anew; that is under way. */
function hasRestartedAll({ facts }: JudgedWait): boolean {
  return facts.decision === "restart-all" && !facts.isRunning;
}

function restartAllWindow({ facts }: JudgedWait, atMs: number): Window {
  const fromMs = facts.runs.at(-1)?.finishedAtMs ?? atMs;
  return { notBeforeMs: atMs, likelyByMs: Math.max(fromMs, atMs - 3_000) + RESTART_ALL_MS, confidence: CONFIDENCE };
}

/** The window of the container's own wait, with the looks at the pod that are known. */
function ownWindow(
  facts: ContainerFacts,
  wait: CurrentWait,
  siblings: readonly JudgedWait[],
  context: PodContext,
): Window {
  const { looks, siblingsPlannedAtMs } = looksOf(facts, wait, siblings, context);
  return startWindow(wait, looks, siblingsPlannedAtMs, context.policy, context.atMs);
}

/** The looks that the window of a container's own wait is counted from, and when the siblings' waits end. */
export function looksOf(
  facts: ContainerFacts,
  { finishedAtMs }: CurrentWait,
  siblings: readonly JudgedWait[],
  context: PodContext,
): { readonly looks: KnownLooks; readonly siblingsPlannedAtMs: readonly number[] } {
  const siblingsPlannedAtMs = siblings.flatMap(({ wait }) => (wait === null ? [] : [wait.wait.plannedAtMs]));
  const others = siblings.map((sibling) => sibling.facts);
  return { looks: knownLooks(facts, others, finishedAtMs, context), siblingsPlannedAtMs };
}
