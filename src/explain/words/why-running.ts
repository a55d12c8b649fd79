import { formatBriefDuration } from "../../kubelet/go-duration.ts";
import { KILLED_BECAUSE } from "../answer/excerpt.ts";
import type { NextExit } from "../answer/explanation.ts";
import type { RestartAllCycle } from "../prediction/restart-all-cycle.ts";
import type { ContainerFacts } from "../replay/facts.ts";
import type { Findings } from "./findings.ts";

/** What a running container has ahead of it: the kill in progress, or the delay that its next exit leads to. */
export function whyRunning(found: Findings): string {
  const { kill } = found;
  if (kill === null) return keepsRunning(found);
  const [after] = found.ifItExits ?? [];
  const stopping = `The kubelet is stopping it because ${KILLED_BECAUSE[kill.cause]}; it has up to ${formatBriefDuration(kill.graceMs)} to stop.`;
  return after === undefined ? stopping : `${stopping} ${afterKill(after)}`;
}

function keepsRunning(found: Findings): string {
  const { facts, delayMs } = found;
  if (facts.status?.state?.kind === "waiting") {
    return "A new instance runs, although the API still shows the old wait: its postStart hook, or the kill after it, blocks the start.";
  }
  const hasExited = facts.runs.length > 1 || (facts.status?.restartCount ?? 0) > 0;
  if (facts.restartingExits === "none")
    return `It runs${hasExited ? "" : " and has never exited"}; no exit of it is followed by a restart.`;
  if (!hasExited) return "It runs and has never exited.";
  if (delayMs === 0 && facts.lastExit?.reason === "RestartingAllContainers") {
    return "It runs. A restart rule has restarted all containers of the pod, which leaves no exited instance and so no back-off.";
  }
  return nextDelay(found);
}

function nextDelay(found: Findings): string {
  const { facts, ifItExits, reset, policy, restartAll } = found;
  const forecast = forecastOf(ifItExits, facts);
  if (forecast === null) return "It runs. How long the kubelet waits after its next exit is unknown.";
  const [likely] = ifItExits ?? [];
  const lag = likely?.how === "killed-by-probe" ? ` ${AFTER_A_KILL}` : "";
  const earlier = restartAll === null || likely?.delayMs === 0 ? "" : earlierWithAll(restartAll);
  if (reset === null) return `It runs. ${forecast}${lag}${earlier}`;
  const gone = `Once it has run for ${formatBriefDuration(policy.resetAfterMs)}, the back-off is gone: the first restart is immediate, the next waits ${formatBriefDuration(policy.initialMs)}.`;
  return `It runs. ${forecast}${lag}${earlier} ${gone}`;
}

/** That another container's exits cut a wait short. */
export function earlierWithAll({ container, averageMs }: RestartAllCycle): string {
  const pace = formatBriefDuration(Math.round(averageMs / 1000) * 1000);
  return ` It starts earlier if ${container} exits: that restarts all containers, so far every ${pace} on average.`;
}

/** Why a container that its probe kills restarts immediately every other time. */
export const AFTER_A_KILL =
  "When the kubelet kills a container itself, it counts the wait from the previous exit, so some restarts are immediate.";

const PROBES = { "liveness-probe": "liveness probe", "startup-probe": "startup probe" } as const;

/** What the kubelet does after the next exit of a running container, the likely way to end first; null if that is unknown. */
export function forecastOf(exits: readonly NextExit[] | null, facts: ContainerFacts): string | null {
  const [likely, other] = exits ?? [];
  if (likely === undefined) return null;
  const fails = facts.spec.type === "init" || facts.restartingExits === "failures" ? "fails" : "exits";
  const restarts = `${consequence(likely)}${likely.delayMs === 0 ? "" : " before restarting it"}.`;
  if (other === undefined) {
    return likely.delayMs === 0 ? `No back-off: if it ${fails}, ${restarts}` : `If it ${fails} now, ${restarts}`;
  }
  const [itself, killed] = likely.how === "exits" ? [likely, other] : [other, likely];
  const probe = `its ${PROBES[killed.probe ?? "liveness-probe"]} fails`;
  if (likely.delayMs === other.delayMs) {
    return likely === itself
      ? `If it ${fails} or ${probe}, ${restarts}`
      : `If ${probe} again or it ${fails}, ${restarts}`;
  }
  return likely === itself
    ? `If it ${fails}, ${consequence(itself)}; if ${probe}, ${consequence(killed)}.`
    : `If ${probe} again, ${consequence(killed)}; if it ${fails} by itself, ${consequence(itself)}.`;
}

/** What the kubelet does after an exit that leads to this delay. */
export function consequence({ delayMs }: Pick<NextExit, "delayMs">): string {
  return delayMs === 0 ? "it restarts immediately" : `the kubelet waits ${formatBriefDuration(delayMs)}`;
}

/** What the kubelet does when the kill that is in progress is done. */
export function afterKill({ delayMs }: NextExit): string {
  return delayMs === 0
    ? "The kubelet restarts it as soon as it has stopped."
    : `When it has stopped, the kubelet waits ${formatBriefDuration(delayMs)} before restarting it.`;
}
