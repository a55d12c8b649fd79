import { type KnownLooks, lookAtExit, RELIST_MS, SECOND_MS } from "../../kubelet/known-looks.ts";
import { areEventsComplete } from "../observed/event-budget.ts";
import type { ContainerFacts } from "../replay/facts.ts";
import type { PodContext } from "./pod-context.ts";

/**
 * The kubelet's last known look at the pod, at or after `finishedAtMs` of the container that waits. Each start or exit of
 * any of its containers makes it look, and each look that finds a container in back-off sends a BackOff event, while the
 * burst of events lasts. A sibling that runs and has exited before will exit again, and so plan the looks anew: then only
 * the first look is sure.
 */
export function knownLooks(
  facts: ContainerFacts,
  siblings: readonly ContainerFacts[],
  finishedAtMs: number,
  { observed, policy, atMs }: PodContext,
): KnownLooks {
  let look = lookAtExit(finishedAtMs);
  if (siblings.some(isRestless)) return look;
  const offer = (lookedAtMs: number | null, spreadMs: number) => {
    if (lookedAtMs !== null && lookedAtMs > look.lookedAtMs && lookedAtMs <= atMs)
      look = { lookedAtMs, spreadMs, noLookUntilMs: null };
  };
  for (const run of [facts, ...siblings].flatMap(({ runs }) => runs)) {
    offer(run.startedAtMs, SECOND_MS + RELIST_MS);
    offer(run.finishedAtMs, SECOND_MS + RELIST_MS);
  }
  for (const event of observed.events) {
    if (event.reason === "BackOff" && event.type === "Warning") offer(event.lastAtMs, SECOND_MS);
  }
  // The first look writes the exit into the status, the second the wait: while the exit shows, there was no second.
  const isFirstLatest = facts.status?.state?.kind === "terminated";
  const hasLater = observed.events.some(({ reason, lastAtMs }) => reason === "BackOff" && (lastAtMs ?? 0) > atMs);
  const isQuiet = !hasLater && (isFirstLatest || areEventsComplete(observed.events, "Warning", policy.traits));
  return { ...look, noLookUntilMs: isQuiet ? atMs - SECOND_MS : null };
}

function isRestless({ isRunning, status }: ContainerFacts): boolean {
  return isRunning && (status?.restartCount ?? 0) > 0;
}
