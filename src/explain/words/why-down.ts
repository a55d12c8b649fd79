import { formatBriefDuration } from "../../kubelet/go-duration.ts";
import { restartPolicyInForce } from "../../kubelet/restart-policy.ts";
import { restartSpecOf } from "../history/restart-spec.ts";
import type { PodSnapshot } from "../observed/observation.ts";
import { exitsAfterNextStart } from "../prediction/next-exit.ts";
import { type CurrentWait, isDoubtful } from "../replay/current-wait.ts";
import type { Findings } from "./findings.ts";
import { AFTER_A_KILL, consequence, earlierWithAll } from "./why-running.ts";

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
    return `The ${delay} wait is cut short: the back-off expires ${ran} after the exit, ${formatBriefDuration(found.policy.resetAfterMs)} after the last start, and the next sync after that restarts it. The next crash then waits only ${formatBriefDuration(found.policy.initialMs)}.`;
  }
  const isMax = delayMs >= found.policy.maxMs;
  const how = isMax ? ", the maximum on this node" : "";
  const restarts = isDoubtful(wait.share) ? "probably restarts" : "restarts";
  return `The kubelet ${restarts} it ${delay} after it exited${how}.${ifItCrashesAgain(found, wait, isMax)}`;
}

function heldBack({ heldBackBy, restartAll }: Findings): string {
  if (restartAll !== null) return earlierWithAll(restartAll);
  if (heldBackBy === null) return "";
  return ` The sidecar ${heldBackBy} is down as well, and kubelets up to v1.36 start no app container before it.`;
}

/** What the kubelet does if the next run ends like the last one. */
function ifItCrashesAgain({ facts, observed, policy }: Findings, wait: CurrentWait, isMax: boolean): string {
  const exits = exitsAfterNextStart(facts, wait, observed.pod.gracePeriodMs, policy);
  const [itself] = exits.filter(({ how }) => how === "exits");
  const kills = exits.filter(({ how }) => how === "killed-by-probe");
  const ownMs = itself?.delayMs ?? 0;
  const ends = facts.lastExit?.exitCode === 0 ? "exits" : "crashes";
  if (kills.length === 0) return isMax ? "" : ` If it ${ends} again, the wait is ${withMaximum(ownMs, policy.maxMs)}.`;
  const probe = kills[0]?.probe === "startup-probe" ? "startup" : "liveness";
  const ways = kills.map(consequence).join(" or ");
  const differs = kills.some(({ delayMs }) => delayMs !== ownMs)
    ? `; if it exits by itself, ${consequence({ delayMs: ownMs })}`
    : "";
  return ` If its ${probe} probe fails again, ${ways}${differs}. ${AFTER_A_KILL}`;
}

function withMaximum(delayMs: number, maxMs: number): string {
  const max = formatBriefDuration(maxMs);
  return delayMs >= maxMs ? `${max} (the maximum)` : `${formatBriefDuration(delayMs)} (maximum: ${max})`;
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
    return `Its wait of ${formatBriefDuration(wait.wait.delayMs)} is over: it starts when the kubelet next syncs the pod.`;
  }
  if (wait?.rules.includes("kubelet-restart") === true)
    return "The kubelet restarted and has forgotten the back-off: it starts at once.";
  if (wait !== null && wait.wait.countedFromMs < wait.finishedAtMs)
    return "After its own kill the kubelet first asks about the exit before, and that is longer ago than the delay: it starts at once.";
  const isNone = wait !== null && isDoubtful(wait.share) ? "is probably" : "is";
  return `${afterSuccess(found)}There ${isNone} no back-off entry for it, so the kubelet starts it again at once.`;
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
