import type { CrashLoopPolicy } from "../kubelet/policy.ts";
import type { JudgedWait } from "./container.ts";
import type { ImagePull, Window } from "./explanation.ts";
import type { ContainerFacts } from "./facts.ts";
import { nodeNotReady } from "./gaps.ts";
import { heldBackWindow, holdingSidecar } from "./held-back.ts";
import { knownLooks } from "./looks.ts";
import { flatRetryWindow } from "./next-attempt.ts";
import type { PodObservation } from "./observation.ts";
import { CONFIDENCE, startWindow } from "./start-window.ts";
import { isOver } from "./state.ts";

function isFailingToStart(facts: ContainerFacts): boolean {
  return facts.waiting === "start-failure" || facts.waiting === "failed-start-with-exit";
}

/** RestartAllContainers takes 2–3 s where containers stop when asked (measured on v1.37.1), else their grace period. */
const RESTART_ALL_MS = 6_000;

/** When the next instance starts, or the next attempt comes; null if none does, or nothing can be told. */
export function nextRestartOf(
  judged: JudgedWait,
  siblings: readonly JudgedWait[],
  observed: PodObservation,
  policy: CrashLoopPolicy,
  atMs: number,
  imagePull: ImagePull | null,
): Window | null {
  const { facts, state, wait } = judged;
  if (nodeNotReady(observed) !== null || isOver(observed.pod) || observed.pod.nodeName === null) return null;
  if (imagePull !== null) return imagePull.nextPull;
  if (state === "starting") return isFailingToStart(facts) ? flatRetryWindow(facts.spec, observed, atMs) : null;
  if (state !== "backing-off" && state !== "restarting") return null;
  if (facts.decision === "restart-all") {
    const fromMs = facts.runs.at(-1)?.finishedAtMs ?? atMs;
    return { notBeforeMs: atMs, likelyByMs: Math.max(fromMs, atMs - 3_000) + RESTART_ALL_MS, confidence: CONFIDENCE };
  }
  if (wait === null) return null;
  const planned = siblings.flatMap((sibling) => (sibling.wait === null ? [] : [sibling.wait.wait.plannedAtMs]));
  const runs = siblings.flatMap((sibling) => sibling.facts.runs);
  const isFirstLook = facts.status?.state?.kind === "terminated";
  const looks = knownLooks(observed, [...runs, ...facts.runs], wait.finishedAtMs, isFirstLook, atMs);
  const own = startWindow(wait, looks, planned, policy, atMs);
  const sidecar = holdingSidecar(judged, siblings, policy);
  if (sidecar === null) return own;
  const others = [judged, ...siblings.filter((sibling) => sibling !== sidecar)];
  const nextStart = nextRestartOf(sidecar, others, observed, policy, atMs, null);
  return heldBackWindow(own, { judged: sidecar, nextStart }, policy);
}
