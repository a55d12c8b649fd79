import { delayAfter } from "../backoff/curve.ts";
import { formatBriefDuration } from "../kubelet/go-duration.ts";
import { restartPolicyInForce } from "../kubelet/restart-policy.ts";
import type { Findings } from "./findings.ts";
import type { PodSnapshot } from "./observation.ts";
import { restartSpecOf } from "./restart-spec.ts";

/** Why a container that is in back-off waits as long as it does. */
export function whyBackingOff(found: Findings): string {
  return afterSuccess(found) + waiting(found) + heldBack(found);
}

function waiting(found: Findings): string {
  const { wait, delayMs } = found;
  if (wait === null || delayMs === null) return "It is in back-off, but when its last instance ended is not known.";
  const delay = formatBriefDuration(delayMs);
  if (wait.wait.droppedAtMs !== null) {
    const ran = formatBriefDuration(wait.wait.droppedAtMs - wait.finishedAtMs);
    return `The delay is ${delay}, but its back-off entry is dropped ${ran} after the exit, ${formatBriefDuration(found.policy.resetAfterMs)} after the last start: it restarts at the first look after that, with a clean slate.`;
  }
  return `The kubelet waits ${delay} from the exit before it starts the next instance${curvePosition(found, delayMs)}.${lagOf(found)}`;
}

function heldBack({ heldBackBy, restartAll }: Findings): string {
  if (restartAll !== null) {
    const pace = formatBriefDuration(Math.round(restartAll.averageMs / 1000) * 1000);
    return ` It starts earlier if ${restartAll.container} exits: that restarts all containers, so far every ${pace} on average.`;
  }
  if (heldBackBy === null) return "";
  return ` The sidecar ${heldBackBy} is down as well, and kubelets up to v1.36 start no app container before it.`;
}

function curvePosition({ policy }: Findings, delayMs: number): string {
  const max = formatBriefDuration(policy.maxMs);
  if (delayMs >= policy.maxMs) return `, the longest delay on this node (${max})`;
  const nextMs = delayAfter(delayMs, policy);
  return nextMs === policy.maxMs
    ? `; after the next exit it is ${max}, the longest`
    : `; after the next exit it is ${formatBriefDuration(nextMs)}, at most ${max}`;
}

function lagOf({ cause }: Findings): string {
  if (cause !== "liveness-probe" && cause !== "startup-probe") return "";
  return " After a probe kill the kubelet first asks about the exit before, so the delay is one step behind the restarts.";
}

/** Why a container is about to start again. */
export function whyRestarting(found: Findings): string {
  return startingAgain(found) + heldBack(found);
}

function startingAgain(found: Findings): string {
  const { facts, wait, cause, state } = found;
  if (cause === "restart-all" || facts.decision === "restart-all") {
    return "A restart rule removes all containers of the pod and starts them anew, without any back-off.";
  }
  if (state === "restarting" && wait !== null && wait.wait.delayMs > 0) {
    return `Its wait of ${formatBriefDuration(wait.wait.delayMs)} is over: it starts when the kubelet next looks at the pod.`;
  }
  if (wait?.rules.includes("kubelet-restart") === true)
    return "The kubelet restarted and has forgotten the back-off: it starts at once.";
  if (wait !== null && wait.wait.countedFromMs < wait.finishedAtMs)
    return "After its own kill the kubelet first asks about the exit before, and that is longer ago than the delay: it starts at once.";
  return `${afterSuccess(found)}There is no back-off entry for it, so the kubelet starts it again at once.`;
}

/** Most who see a success restarted did not expect it; after a kill it is none. */
function afterSuccess({ facts, observed, policy, cause }: Findings): string {
  if (cause !== "exited" || facts.lastExit?.exitCode !== 0) return "";
  const restartPolicy = restartPolicyInForce(restartSpecOf(facts.spec, observed.pod), policy.traits);
  const what = restartPolicy === "Always" ? "restartPolicy Always" : "a restart rule";
  return `It exited with 0, but ${what} restarts it anyway. `;
}

/** "The pod's phase is Failed (Evicted)". */
export function phaseWords({ phase, reason }: PodSnapshot): string {
  return `The pod's phase is ${phase}${reason === null ? "" : ` (${reason})`}`;
}

/** Why a container that has exited stays as it is. */
export function whyStaysDown({ facts, observed, policy }: Findings): string {
  const { pod } = observed;
  if (pod.phase === "Succeeded" || pod.phase === "Failed")
    return `${phaseWords(pod)}: its containers will not restart.`;
  if (facts.spec.type === "init" && facts.lastExit?.exitCode === 0)
    return "It has done its part: init containers run to success once.";
  const restartPolicy = restartPolicyInForce(restartSpecOf(facts.spec, pod), policy.traits);
  const exit = facts.lastExit?.exitCode === 0 ? "success" : `exit code ${facts.lastExit?.exitCode}`;
  return `restartPolicy ${restartPolicy} does not restart it after ${exit}.`;
}
