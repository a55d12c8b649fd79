import type { ContainerExplanation, PodExplanation } from "../../explain/answer/explanation.ts";
import { isNodeDown, isWithoutNode } from "../../explain/answer/node-outage.ts";
import { hasFinished } from "../../explain/observed/lookups.ts";
import { awaitsRestart, isDeletionOverdue } from "../../explain/triage.ts";
import { exitClause } from "./container-words.ts";
import { formatElapsed } from "./durations.ts";
import { windowClause } from "./next-start.ts";
import type { Moment } from "./page.ts";
import { capitalized } from "./paint.ts";

/** A pod with the verdict "failed" may not have ended: one container may have failed for good while others go on. */
export function hasPodEnded(pod: Pick<PodExplanation, "verdict" | "phase" | "containers">): boolean {
  const isOver = pod.verdict === "failed" || pod.verdict === "completed";
  return isOver && (hasFinished(pod) || !pod.containers.some(goesOn));
}

function goesOn({ state, type }: ContainerExplanation): boolean {
  return type !== "ephemeral" && (state === "running" || state === "starting" || awaitsRestart({ state }));
}

export function deletionSentence(pod: PodExplanation, moment: Moment): string {
  const why = pod.ending?.message ? ` (${pod.ending.message})` : "";
  return `is being deleted${why}; its containers will not restart.${whyItStays(pod, moment)}`;
}

function whyItStays(pod: PodExplanation, { nowMs }: Moment): string {
  const { deletion, containers } = pod;
  if (deletion === null) return "";
  const { dueAtMs, finalizers } = deletion;
  const overMs = nowMs - dueAtMs;
  const over = `its grace period ended ${formatElapsed(overMs)} ago`;
  if (finalizers.length > 0)
    return ` It stays until its finalizers are removed: ${finalizers.join(", ")}${overMs < 0 ? "" : `; ${over}`}.`;
  if (!isDeletionOverdue(pod, nowMs)) return "";
  const isAnyRunning = containers.some(({ state }) => state === "running");
  const what = isAnyRunning ? "stopped its containers" : "removed it";
  return ` ${capitalized(over)}${nodeClause(pod, what)}.`;
}

function nodeClause(pod: PodExplanation, what: string): string {
  if (isWithoutNode(pod)) return `; node ${pod.node} does not exist, so no kubelet has ${what}`;
  return isNodeDown(pod) ? `; node ${pod.node} is NotReady, so its kubelet has not ${what}` : "";
}

export function failureSentence({ ending }: PodExplanation, main: ContainerExplanation | undefined): string {
  if (ending?.reason === "Evicted" && ending.message !== "") return `was evicted: ${ending.message}.`;
  if (ending !== null && ending.message !== "")
    return `has failed: ${ending.message}${ending.reason && ` (${ending.reason})`}.`;
  const exit = main?.state === "failed" && main.lastExit !== null ? `${main.name} ${exitClause(main.lastExit)}` : "";
  const why = ending?.reason || exit;
  return `has failed${why && ` (${why})`}; its containers will not restart.`;
}

export function failureBesideOthers(pod: PodExplanation, main: ContainerExplanation, moment: Moment): string | null {
  const others = pod.containers.filter(goesOn);
  if (main.state !== "failed" || others.length === 0) return null;
  const how = main.lastExit === null ? "has failed" : exitClause(main.lastExit);
  const running = others.filter(({ state }) => state === "running").map(({ name }) => name);
  const still = `${running.join(", ")} still ${running.length === 1 ? "runs" : "run"}`;
  const clauses = others.filter(({ state }) => state !== "running").map((one) => startClause(one, pod, moment));
  return `${[`${main.name} ${how} and will not restart`, ...clauses, ...(running.length === 0 ? [] : [still])].join("; ")}.`;
}

function startClause(container: ContainerExplanation, pod: PodExplanation, moment: Moment): string {
  const { name, state, nextRestart, overdue } = container;
  const { node } = pod;
  if (isWithoutNode(pod)) return `${name} is down, because node ${node} does not exist`;
  if (isNodeDown(pod)) return `${name} is down until ${node === null ? "its node" : `node ${node}`} is Ready again`;
  const verb = state === "starting" ? "start" : "restart";
  if (overdue !== null)
    return `the ${verb} of ${name} is overdue by ${formatElapsed(moment.nowMs - overdue.expectedByMs)}`;
  return nextRestart === null ? `${name} will ${verb}` : `${name} ${verb}s ${windowClause(nextRestart, moment)}`;
}
