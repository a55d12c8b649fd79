import type { ContainerExplanation, PodExplanation } from "../../explain/answer/explanation.ts";
import { formatElapsed } from "./durations.ts";
import type { Moment } from "./page.ts";
import { capitalized } from "./paint.ts";
import { exitClause } from "./trouble.ts";

/** The kubelet has usually removed a pod this long after its grace period. */
const USUAL_REMOVAL_MS = 30_000;

/** Returns that the pod is being deleted, and why it still exists. The caller prints the subject. */
export function deletionSentence(pod: PodExplanation, moment: Moment): string {
  const why = pod.ending?.message ? ` (${pod.ending.message})` : "";
  return `is being deleted${why}; its containers will not restart.${heldBy(pod, moment)}`;
}

/**
 * Returns why a deleted pod still exists: its finalizers; or, from 30s after its grace period on, how long ago that
 * ended, and whether its node is NotReady. Returns "" before that, and for a pod that is not being deleted.
 */
function heldBy({ deletion, node, gaps, containers }: PodExplanation, { nowMs }: Moment): string {
  if (deletion === null) return "";
  const { dueAtMs, finalizers } = deletion;
  const overMs = nowMs - dueAtMs;
  const over = `its grace period ended ${formatElapsed(overMs)} ago`;
  if (finalizers.length > 0)
    return ` It stays until its finalizers are removed: ${finalizers.join(", ")}${overMs < 0 ? "" : `; ${over}`}.`;
  if (overMs < USUAL_REMOVAL_MS) return "";
  const isUp = containers.some(({ state }) => state === "running");
  const isNotReady = gaps.some(({ code }) => code === "node-not-ready");
  const what = isUp ? "stopped its containers" : "removed it";
  const because = isNotReady ? `; node ${node} is NotReady, so its kubelet has not ${what}` : "";
  return ` ${capitalized(over)}${because}.`;
}

/**
 * Returns why the pod failed: the message or reason in its status, else the exit of `main`. The caller prints the
 * subject.
 */
export function failure({ ending }: PodExplanation, main: ContainerExplanation | undefined): string {
  if (ending?.reason === "Evicted" && ending.message !== "") return `was evicted: ${ending.message}.`;
  if (ending !== null && ending.message !== "")
    return `has failed: ${ending.message}${ending.reason && ` (${ending.reason})`}.`;
  const exit = main?.state === "failed" && main.lastExit !== null ? `${main.name} ${exitClause(main.lastExit)}` : "";
  const why = ending?.reason || exit;
  return `has failed${why && ` (${why})`}; its containers will not restart.`;
}
