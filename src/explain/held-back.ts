import { delayAfter } from "../backoff/curve.ts";
import type { CrashLoopPolicy } from "../kubelet/policy.ts";
import { longestLatenessMs } from "../kubelet/retry-rule.ts";
import { likeliestEntry } from "./beliefs.ts";
import type { JudgedWait } from "./container.ts";
import type { Window } from "./explanation.ts";

/** A sidecar that holds back an app container, and the window of its next start while it is down. */
export interface HoldingSidecar {
  readonly judged: JudgedWait;
  readonly nextStart: Window | null;
}

/**
 * The sidecar that may hold back this app container: the pod's last init container, if it is a sidecar, while no app
 * container runs, on kubelets up to v1.36. Null if there is none.
 */
export function holdingSidecar(
  app: JudgedWait,
  siblings: readonly JudgedWait[],
  policy: CrashLoopPolicy,
): JudgedWait | null {
  const ofType = (type: string) => siblings.filter(({ facts }) => facts.spec.type === type);
  if (!policy.traits.sidecarsHoldBack || app.facts.spec.type !== "app") return null;
  if (ofType("app").some(({ facts }) => facts.isRunning)) return null;
  const last = siblings.filter(({ facts }) => facts.spec.type === "init" || facts.spec.type === "sidecar").at(-1);
  return last?.facts.spec.type === "sidecar" && last.facts.runs.length > 0 ? last : null;
}

/** The sync that follows a sidecar's start comes within this. */
const AFTER_START_MS = 3_000;
/** So many runs of the sidecar ahead are enough: by then its delay is at the maximum. */
const MOST_CYCLES = 12;

/**
 * The window of an app container that starts only while the sidecar is up. The sidecar's coming runs are taken to be as
 * long as its last one, its waits as the curve has them.
 */
export function heldBackWindow(own: Window, { judged, nextStart }: HoldingSidecar, policy: CrashLoopPolicy): Window {
  const runMs = lastRunMs(judged);
  let delayMs = delayOfNextExit(judged, policy);
  let [fromMs, toMs] = upSince(judged, nextStart);
  for (let cycle = 0; cycle < MOST_CYCLES; cycle++) {
    const downMs = fromMs + runMs;
    const isUpInTime = own.notBeforeMs >= toMs && own.likelyByMs <= downMs;
    if (isUpInTime) return own;
    if (own.notBeforeMs <= toMs) {
      const likelyByMs = Math.max(Math.min(own.likelyByMs, downMs), toMs + AFTER_START_MS);
      return { ...own, notBeforeMs: Math.max(own.notBeforeMs, fromMs), likelyByMs };
    }
    const nextToMs = toMs + runMs + delayMs + longestLatenessMs(policy.retry, delayMs);
    if (own.notBeforeMs < downMs) return { ...own, likelyByMs: nextToMs + AFTER_START_MS };
    [fromMs, toMs] = [downMs + delayMs, nextToMs];
    delayMs = delayAfter(delayMs, policy);
  }
  return own;
}

function upSince({ facts }: JudgedWait, nextStart: Window | null): [number, number] {
  if (nextStart !== null) return [nextStart.notBeforeMs, nextStart.likelyByMs];
  const startedAtMs = facts.runs.at(-1)?.startedAtMs ?? 0;
  return [startedAtMs, startedAtMs];
}

/** Without a finished run nothing is known of how long it runs: then it counts as staying up. */
function lastRunMs({ facts }: JudgedWait): number {
  const last = facts.runs.findLast((run) => run.finishedAtMs !== null && run.startedAtMs !== null);
  return last === undefined ? Number.POSITIVE_INFINITY : (last.finishedAtMs ?? 0) - (last.startedAtMs ?? 0);
}

/** The delay after the sidecar's coming run: the entry's while it runs, the next step of the curve while it waits. */
function delayOfNextExit({ facts, wait }: JudgedWait, policy: CrashLoopPolicy): number {
  if (wait === null) return likeliestEntry(facts.beliefs)?.entry?.delayMs ?? 0;
  const isFresh = wait.wait.delayMs === 0 || wait.wait.droppedAtMs !== null;
  return isFresh ? policy.initialMs : delayAfter(wait.wait.delayMs, policy);
}
