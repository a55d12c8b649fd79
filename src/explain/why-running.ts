import { formatBriefDuration } from "../kubelet/go-duration.ts";
import type { Findings } from "./findings.ts";
import { pendingKill } from "./pending-kill.ts";

/** What a container that runs has before it: its own kill, or the delay that its next exit would have. */
export function whyRunning(found: Findings): string {
  const kill = pendingKill(found.facts, found.observed);
  if (kill !== null) {
    const probe =
      kill.cause === "spec-change"
        ? "its spec changed"
        : `its ${kill.cause === "liveness-probe" ? "liveness" : "startup"} probe failed`;
    return `It still runs, but the kubelet is stopping it because ${probe}; it has up to ${formatBriefDuration(kill.graceMs)} of grace.`;
  }
  return keepsRunning(found);
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

function nextDelay({ facts, delayMs, reset, policy }: Findings): string {
  const exit = facts.restartingExits === "failures" ? "failure" : "exit";
  if (delayMs === 0) return `It runs and has no back-off entry: after its next ${exit} it would restart at once.`;
  if (delayMs === null) return `It runs; what its next ${exit} would have to wait is not known.`;
  const until =
    reset === null
      ? ""
      : `, unless it runs for ${formatBriefDuration(policy.resetAfterMs)}: then the delays begin again at ${formatBriefDuration(policy.initialMs)}`;
  return `It runs. Its next ${exit} has to wait ${formatBriefDuration(delayMs)}${until}.`;
}
