import type { Window } from "../answer/explanation.ts";
import type { JudgedWait } from "./judged-wait.ts";
import type { PodContext } from "./pod-context.ts";

/** A container whose exits make the kubelet restart all containers of the pod, over and over. */
export interface RestartAllCycle {
  readonly container: string;
  /** When it is due again, if it keeps its average pace. */
  readonly dueAtMs: number;
  readonly averageMs: number;
}

/** Fewer than this is no pace. */
const ENOUGH_RESTARTS = 2;
/** A cycle varies by its own length a little, and takes 2–3 s to remove and start the containers. */
const SLACK_MS = 4_000;
const SLACK_SHARE = 0.1;

/**
 * The running container of the pod that has restarted all before and whose rules will do so again; null if there is none,
 * or if it is overdue and so has no pace to go by.
 */
export function restartAllCycle(
  containers: readonly JudgedWait[],
  { observed, policy, atMs }: PodContext,
): RestartAllCycle | null {
  const trigger = containers.find(({ facts }) => {
    const hasRule = facts.spec.restartPolicyRules.some(({ action }) => action === "RestartAllContainers");
    return hasRule && facts.isRunning && facts.lastExit?.reason === "RestartingAllContainers";
  });
  const bornAtMs = observed.pod.startedAtMs ?? observed.pod.createdAtMs;
  const startedAtMs = trigger?.facts.runs.at(-1)?.startedAtMs ?? null;
  const restarts = trigger?.facts.status?.restartCount ?? 0;
  if (!policy.traits.hasRestartAll || trigger === undefined || bornAtMs === null || startedAtMs === null) return null;
  if (restarts < ENOUGH_RESTARTS) return null;
  const averageMs = (startedAtMs - bornAtMs) / restarts;
  const dueAtMs = Math.round((startedAtMs + averageMs) / 1000) * 1000;
  return dueAtMs + slackOf(averageMs) < atMs ? null : { container: trigger.facts.spec.name, dueAtMs, averageMs };
}

/** The window of a container that starts with all others if that comes before the end of its own wait. */
export function windowInCycle(own: Window, { dueAtMs, averageMs }: RestartAllCycle, atMs: number): Window {
  const slackMs = slackOf(averageMs);
  if (own.likelyByMs < dueAtMs - slackMs) return own;
  const notBeforeMs = Math.max(atMs, Math.min(own.notBeforeMs, dueAtMs - slackMs));
  const likelyByMs = Math.max(atMs, own.notBeforeMs > dueAtMs + slackMs ? dueAtMs + slackMs : own.likelyByMs);
  return { ...own, notBeforeMs, likelyByMs };
}

function slackOf(averageMs: number): number {
  return SLACK_MS + averageMs * SLACK_SHARE;
}
