import { meaningOfEvent } from "../../kubelet/event-messages.ts";
import type { PodObservation } from "../observed/observation.ts";
import type { ContainerFacts } from "../replay/facts.ts";

/** A kill that the kubelet has announced and that the running instance has not obeyed yet. */
export interface PendingKill {
  readonly atMs: number;
  readonly cause: "liveness-probe" | "startup-probe" | "spec-change";
  /** How long the instance may take to stop. */
  readonly graceMs: number;
}

/** The kill of the instance that still runs, from its Killing event; null if there is none. */
export function pendingKill(facts: ContainerFacts, observed: PodObservation): PendingKill | null {
  const startedAtMs = facts.runs.at(-1)?.startedAtMs ?? null;
  if (!facts.isRunning || startedAtMs === null) return null;
  for (const event of observed.events) {
    const cause = meaningOfEvent(event.reason, event.message);
    const isOfRun = event.container === facts.spec.name && (event.lastAtMs ?? 0) > startedAtMs;
    if (!isOfRun || event.lastAtMs === null) continue;
    if (cause === "liveness-probe" || cause === "startup-probe" || cause === "spec-change") {
      return { atMs: event.lastAtMs, cause, graceMs: graceOf(cause, facts, observed) };
    }
  }
  return null;
}

function graceOf(cause: PendingKill["cause"], { spec }: ContainerFacts, observed: PodObservation): number {
  const probe = cause === "liveness-probe" ? spec.livenessProbe : cause === "startup-probe" ? spec.startupProbe : null;
  return probe?.gracePeriodMs ?? observed.pod.gracePeriodMs;
}
