import type { ContainerExplanation, PodExplanation } from "../../explain/answer/explanation.ts";
import { exitClause } from "./container-words.ts";
import { formatElapsed } from "./durations.ts";
import type { Moment } from "./page.ts";
import { capitalized } from "./paint.ts";

/** Assumed maximum time that a kubelet takes to remove a pod after its grace period. */
const USUAL_REMOVAL_MS = 30_000;

/** Returns sentences. The first lacks its subject, the pod. */
export function deletionSentence(pod: PodExplanation, moment: Moment): string {
  const why = pod.ending?.message ? ` (${pod.ending.message})` : "";
  return `is being deleted${why}; its containers will not restart.${whyItStays(pod, moment)}`;
}

function whyItStays({ deletion, node, gaps, containers }: PodExplanation, { nowMs }: Moment): string {
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

/** Returns a sentence without its subject, the pod. */
export function failureSentence({ ending }: PodExplanation, main: ContainerExplanation | undefined): string {
  if (ending?.reason === "Evicted" && ending.message !== "") return `was evicted: ${ending.message}.`;
  if (ending !== null && ending.message !== "")
    return `has failed: ${ending.message}${ending.reason && ` (${ending.reason})`}.`;
  const exit = main?.state === "failed" && main.lastExit !== null ? `${main.name} ${exitClause(main.lastExit)}` : "";
  const why = ending?.reason || exit;
  return `has failed${why && ` (${why})`}; its containers will not restart.`;
}
