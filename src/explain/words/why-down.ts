import { formatBriefDuration } from "../../kubelet/go-duration.ts";
import type { CrashLoopPolicy } from "../../kubelet/policy.ts";
import { restartPolicyInForce } from "../../kubelet/restart-policy.ts";
import { restartSpecOf } from "../history/restart-rules.ts";
import type { PodSnapshot } from "../observed/observation.ts";
import { exitsAfterNextStart } from "../prediction/next-exit.ts";
import type { Prediction } from "../prediction/prediction.ts";
import { type CurrentWait, isDoubtful } from "../replay/current-wait.ts";
import { AFTER_A_KILL, consequence, earlierWithAll } from "./why-running.ts";

/** Why a container that is in back-off waits as long as it does. */
export function whyBackingOff(found: Prediction): string {
  return afterSuccess(found) + waitOfBackOff(found) + afterKills(found) + heldBack(found);
}

/** How long the kubelet waits before it restarts a container in back-off, and how long after the next exit. */
export function waitOfBackOff(found: Prediction): string {
  const { wait, delayMs } = found;
  if (wait === null || delayMs === null) return "It is backing off, but the time of its last exit is unknown.";
  const delay = formatBriefDuration(delayMs);
  if (wait.wait.droppedAtMs !== null) {
    const ran = formatBriefDuration(wait.wait.droppedAtMs - wait.finishedAtMs);
    return `The ${delay} wait is cut short ${ran} after the exit: the back-off expires ${formatBriefDuration(found.policy.resetAfterMs)} after the last start. The next wait is only ${formatBriefDuration(found.policy.initialMs)}.`;
  }
  const waits = isDoubtful(wait.share) ? "probably waits" : "waits";
  return `The kubelet ${waits} ${delay} after this exit${afterNextExit(found, wait, delayMs >= found.policy.maxMs)}`;
}

function heldBack({ heldBackBy, restartAll }: Prediction): string {
  if (restartAll !== null) return earlierWithAll(restartAll);
  if (heldBackBy === null) return "";
  return ` Sidecar ${heldBackBy} is down too; kubelets v1.36 and older start app containers only after it.`;
}

/** The end of the sentence: what the kubelet does if the next run ends like the last one. */
function afterNextExit({ facts, observed, policy }: Prediction, wait: CurrentWait, isMax: boolean): string {
  const exits = exitsAfterNextStart(facts, wait, observed.pod.gracePeriodMs, policy);
  const [itself] = exits.filter(({ how }) => how === "exits");
  const kills = exits.filter(({ how }) => how === "killed-by-probe");
  const ownMs = itself?.delayMs ?? 0;
  const differs = kills.some(({ delayMs }) => delayMs !== ownMs);
  if (!differs) return isMax ? ", the maximum on this node." : `, ${withMaximum(ownMs, policy)} after the next.`;
  const probe = kills[0]?.probe === "startup-probe" ? "startup" : "liveness";
  const ways = kills.map(consequence).join(" or ");
  return `${isMax ? ", the maximum on this node" : ""}. After its next run, ${ways} if its ${probe} probe kills it again, and ${consequence({ delayMs: ownMs })} if it exits by itself.`;
}

function withMaximum(delayMs: number, { maxMs }: CrashLoopPolicy): string {
  return `${formatBriefDuration(delayMs)}${delayMs >= maxMs ? " (maximum)" : ""}`;
}

function afterKills({ facts, observed, policy, wait }: Prediction): string {
  if (wait === null || wait.wait.droppedAtMs !== null) return "";
  const exits = exitsAfterNextStart(facts, wait, observed.pod.gracePeriodMs, policy);
  return exits.some(({ how }) => how === "killed-by-probe") ? ` ${AFTER_A_KILL}` : "";
}

/** Why a container is about to start again. */
export function whyRestarting(found: Prediction): string {
  return (
    (found.state === "restarting" && isWaitOver(found) ? "" : afterSuccess(found)) + restartNow(found) + heldBack(found)
  );
}

function isWaitOver({ wait }: Prediction): boolean {
  return wait !== null && wait.wait.delayMs > 0;
}

/** Why a container restarts without a wait, or that its wait is over. */
export function restartNow(found: Prediction): string {
  const { facts, wait, state } = found;
  if (facts.lastCause?.cause === "restart-all" || facts.decision === "restart-all") {
    return "A RestartAllContainers rule restarts all containers of the pod, without back-off.";
  }
  if (state === "restarting" && wait !== null && isWaitOver(found)) {
    return `The ${formatBriefDuration(wait.wait.delayMs)} wait is over; it restarts at the kubelet's next sync.`;
  }
  if (wait?.rules.includes("kubelet-restart") === true)
    return "The kubelet restarted and lost its back-off state, so it restarts the container immediately.";
  if (wait !== null && wait.wait.countedFromMs < wait.finishedAtMs)
    return "The kubelet killed it itself, so it counts the wait from the previous exit. That wait is already over: it restarts immediately.";
  const none = wait !== null && isDoubtful(wait.share) ? "Probably no" : "No";
  return `${none} back-off applies, so the kubelet restarts it immediately.`;
}

/** Most who see a success restarted did not expect it; after a kill it is none. */
function afterSuccess({ facts, observed, policy }: Prediction): string {
  if (facts.lastCause?.cause !== "exited" || facts.lastExit?.exitCode !== 0) return "";
  const restartPolicy = restartPolicyInForce(restartSpecOf(facts.spec, observed.pod), policy.traits);
  const what = restartPolicy === "Always" ? "restartPolicy Always" : "a restart rule";
  return `It exited with 0, but ${what} restarts it anyway. `;
}

/** "The pod's phase is Failed (Evicted)". */
export function phaseWords({ phase, reason }: PodSnapshot): string {
  return `The pod's phase is ${phase}${reason === null ? "" : ` (${reason})`}`;
}

/** Why a container that has exited stays as it is. */
export function whyStaysDown({ facts, observed, policy }: Prediction): string {
  const { pod } = observed;
  if (pod.phase === "Succeeded" || pod.phase === "Failed")
    return `${phaseWords(pod)}: its containers will not restart.`;
  if (facts.spec.type === "init" && facts.lastExit?.exitCode === 0) return "Done: init containers run once.";
  const restartPolicy = restartPolicyInForce(restartSpecOf(facts.spec, pod), policy.traits);
  const exit = facts.lastExit?.exitCode === 0 ? "success" : `exit code ${facts.lastExit?.exitCode}`;
  return `restartPolicy ${restartPolicy} does not restart it after ${exit}.`;
}
