import { formatBriefDuration } from "../../kubelet/go-duration.ts";
import { KILLED_BECAUSE, pendingKill } from "../prediction/pending-kill.ts";
import type { Findings } from "./findings.ts";
import { afterKill, forecastOf } from "./forecast.ts";

/** What a running container has ahead of it: the kill in progress, or the delay that its next exit leads to. */
export function whyRunning(found: Findings): string {
  const kill = pendingKill(found.facts, found.observed);
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
  const { facts, ifItExits, reset, policy } = found;
  const forecast = forecastOf(ifItExits, facts);
  if (forecast === null) return "It runs. How long the kubelet waits after its next exit is unknown.";
  const [likely] = ifItExits ?? [];
  const lag = likely?.how === "killed-by-probe" ? ` ${AFTER_A_KILL}` : "";
  if (reset === null) return `It runs. ${forecast}${lag}`;
  const gone = `Once it has run for ${formatBriefDuration(policy.resetAfterMs)}, the back-off is gone: the first restart is immediate, the next waits ${formatBriefDuration(policy.initialMs)}.`;
  return `It runs. ${forecast}${lag} ${gone}`;
}

/** Why a container that its probe kills restarts immediately every other time. */
export const AFTER_A_KILL =
  "When the kubelet kills a container itself, it counts the wait from the previous exit, so some restarts are immediate.";
