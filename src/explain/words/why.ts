import { formatBriefDuration } from "../../kubelet/go-duration.ts";
import { LONGEST_MOUNT_DELAY_MS } from "../../kubelet/start-obstacles.ts";
import { instantIn, quoted } from "../answer/excerpt.ts";
import type { ImagePull, Obstacle } from "../answer/explanation.ts";
import { conditionOf } from "../observed/lookups.ts";
import type { PodSnapshot } from "../observed/observation.ts";
import { exitsAfterNextStart } from "../prediction/next-exit.ts";
import { type Prediction, restartPolicyOf } from "../prediction/prediction.ts";
import { isScheduled } from "../prediction/state.ts";
import { type CurrentWait, isDoubtful } from "../replay/current-wait.ts";
import { explainedBug } from "./known-bug.ts";
import { AFTER_A_KILL, consequence, delaysIn, earlierWithAll, whyRunning } from "./why-running.ts";

/** Explains the container's state in a few sentences; if its restart is overdue, also says when it should have come. */
export function whyOf(found: Prediction): string {
  const { overdue } = found;
  const late = overdue === null ? "" : ` 99 of 100 such restarts have come by ${instantIn(overdue.expectedByMs)}.`;
  const bug = explainedBug(found);
  return mechanismOf(found) + late + (bug === null ? "" : ` ${bug.sentence}`);
}

function mechanismOf(found: Prediction): string {
  if (found.observed.pod.deletionAtMs !== null && found.state !== "running")
    return "The pod is being deleted; its containers will not restart.";
  switch (found.state) {
    case "backing-off":
      return afterSuccess(found) + waitOfBackOff(found) + afterKills(found) + heldBack(found);
    case "restarting":
      return (isWaitOver(found) ? "" : afterSuccess(found)) + restartNow(found) + heldBack(found);
    case "running":
      return whyRunning(found);
    case "starting":
      return whyStarting(found);
    case "blocked":
      return "It starts when the init containers and sidecars before it have finished or started.";
    case "completed":
    case "failed":
      return whyStaysDown(found);
    case "unknown":
      return whyUnknown(found);
  }
}

function whyUnknown({ facts, observed: { pod } }: Prediction): string {
  if (facts.spec.type === "ephemeral") return "Ephemeral containers never restart.";
  if (pod.phase === "Failed" || pod.phase === "Succeeded")
    return `${phaseWords(pod)}; the API has no status of this container.`;
  return "No status reported yet.";
}

function whyStarting({ facts, imagePull, obstacle, observed }: Prediction): string {
  if (imagePull !== null) {
    const cause = imagePull.cause === "" ? "" : `: ${imagePull.cause}`;
    return `Image pull failed${cause}. ${waitOfPull(imagePull)}`;
  }
  if (obstacle?.kind === "container") {
    const state = facts.status?.state;
    const message = state?.kind === "waiting" ? quoted(state.message ?? "") : "";
    const exits = facts.lastExit === null ? "" : " Each failed attempt also lengthens its restart back-off.";
    return `The container cannot be created${message === "" ? "" : `: ${message}`}. ${RETRIES}${exits}`;
  }
  if (obstacle === null) return whyNotStarted(observed.pod);
  const { kind, reason, message } = obstacle;
  const words = message === "" ? reason : `${message.charAt(0).toUpperCase()}${message.slice(1)}`;
  return `${words}. ${GOES_ON[kind]}`;
}

function whyNotStarted(pod: PodSnapshot): string {
  if (!isScheduled(pod)) return "The pod is not scheduled yet, so no kubelet has it.";
  if (pod.startedAtMs === null) return `The kubelet of ${pod.nodeName ?? "its node"} has not taken the pod yet.`;
  const ready = conditionOf(pod, "PodReadyToStartContainers")?.status;
  const isReady = ready === "True" || pod.statuses.some(({ state }) => state?.kind === "running");
  const notReady =
    ready === "False"
      ? "preparing its volumes or its sandbox (PodReadyToStartContainers is False)"
      : "preparing its volumes, its sandbox or its image";
  const step = isReady ? "pulling its image or creating it" : notReady;
  return `The kubelet took the pod at ${new Date(pod.startedAtMs).toISOString()} and is ${step}; no event says what fails.`;
}

const RETRIES = "The kubelet retries every 10-15s and starts it once that is fixed.";

function waitOfPull({ delayMs }: ImagePull): string {
  const own = "Image pulls have their own back-off";
  return delayMs === null ? `${own}.` : `${own}: ${formatBriefDuration(delayMs)} after the last failure.`;
}

/** Returns the part of `why` about the wait; empty if there is no wait, or if the wait is over. */
export function waitOf(found: Prediction): string {
  const { state, imagePull, obstacle, observed } = found;
  if (observed.pod.deletionAtMs !== null) return "";
  if (state === "backing-off") return waitOfBackOff(found);
  if (state === "restarting") return isWaitOver(found) ? "" : restartNow(found);
  if (state !== "starting") return "";
  if (imagePull !== null) return waitOfPull(imagePull);
  return obstacle === null ? "" : GOES_ON[obstacle.kind];
}

/** The sentence on what happens next, by the kind of obstacle. */
const GOES_ON: Readonly<Record<Obstacle["kind"], string>> = {
  container: RETRIES,
  node: "Nothing in the pod starts until that node is ready.",
  scheduling: "No kubelet has the pod yet: the scheduler assigns it as soon as a node fits.",
  gates: "The scheduler ignores the pod until its controller removes them (spec.schedulingGates).",
  // completeWork, pkg/kubelet/pod_workers.go, v1.37.1: the kubelet treats NetworkNotReady as transient
  network: "The kubelet retries every 1-2s; nothing starts until the node's network is ready.",
  attach: "The attach-detach controller retries; nothing in the pod starts until the volume is attached.",
  // pkg/util/goroutinemap/exponentialbackoff, v1.37.1
  volume: `The kubelet retries the mount at most ${formatBriefDuration(LONGEST_MOUNT_DELAY_MS)} after the last failure; nothing in the pod starts until it succeeds.`,
  // completeWork, pkg/kubelet/pod_workers.go, v1.37.1: 10 s to 15 s
  devices: "The kubelet retries every 10-15s; nothing in the pod starts until its devices are prepared.",
  sandbox: "The kubelet retries every 10-15s; nothing in the pod starts until its sandbox exists.",
};

function waitOfBackOff(found: Prediction): string {
  const { wait, delayMs } = found;
  if (wait === null || delayMs === null) return "It is backing off, but the time of its last exit is unknown.";
  const delay = formatBriefDuration(delayMs);
  if (wait.wait.droppedAtMs !== null) {
    const ran = formatBriefDuration(wait.wait.droppedAtMs - wait.finishedAtMs);
    return `The ${delay} wait is cut short ${ran} after the exit: the back-off expires ${formatBriefDuration(found.policy.resetAfterMs)} after the last start. The next wait is only ${formatBriefDuration(found.policy.initialMs)}.`;
  }
  const waits = found.otherDelaysMs?.includes(0) === true ? "probably waits" : "waits";
  return `The kubelet ${waits} ${delaysIn({ ...found, delayMs }) ?? delay} after this exit${afterNextExit(found, wait, delayMs >= found.policy.maxMs)}`;
}

function heldBack({ heldBackBy, restartAll }: Prediction): string {
  if (restartAll !== null) return earlierWithAll(restartAll);
  if (heldBackBy === null) return "";
  return ` Sidecar ${heldBackBy} is down too; kubelets v1.36 and older start app containers only after it.`;
}

/** Returns the end of a sentence: the kubelet's wait after the next run, if that run ends like the last one. */
function afterNextExit({ facts, observed, policy }: Prediction, wait: CurrentWait, isMax: boolean): string {
  const exits = exitsAfterNextStart(facts, wait, observed.pod.gracePeriodMs, policy);
  const [itself] = exits.filter(({ how }) => how === "exits");
  const kills = exits.filter(({ how }) => how === "killed-by-probe");
  const ownMs = itself?.delayMs ?? 0;
  const differs = kills.some(({ delayMs }) => delayMs !== ownMs);
  const maximum = ownMs >= policy.maxMs ? " (maximum)" : "";
  if (!differs)
    return isMax ? ", the maximum on this node." : `, ${formatBriefDuration(ownMs)}${maximum} after the next.`;
  const probe = kills[0]?.probe === "startup-probe" ? "startup" : "liveness";
  const ways = kills.map(consequence).join(" or ");
  return `${isMax ? ", the maximum on this node" : ""}. After its next run, ${ways} if its ${probe} probe kills it again, and ${consequence({ delayMs: ownMs })} if it exits by itself.`;
}

function afterKills({ facts, observed, policy, wait }: Prediction): string {
  if (wait === null || wait.wait.droppedAtMs !== null) return "";
  const exits = exitsAfterNextStart(facts, wait, observed.pod.gracePeriodMs, policy);
  return exits.some(({ how }) => how === "killed-by-probe") ? ` ${AFTER_A_KILL}` : "";
}

function isWaitOver({ wait }: Prediction): boolean {
  return wait !== null && wait.wait.delayMs > 0;
}

function restartNow({ facts, wait }: Prediction): string {
  if (facts.lastCause?.cause === "restart-all" || facts.decision === "restart-all")
    return "A RestartAllContainers rule restarts all containers of the pod, without back-off.";
  if (wait !== null && wait.wait.delayMs > 0)
    return `The ${formatBriefDuration(wait.wait.delayMs)} wait is over; it restarts at the kubelet's next sync.`;
  if (wait?.rules.includes("kubelet-restart") === true)
    return "The kubelet restarted and lost its back-off state, so it restarts the container immediately.";
  if (wait !== null && wait.wait.countedFromMs < wait.finishedAtMs)
    return "The kubelet killed it itself, so it counts the wait from the previous exit. That wait is already over: it restarts immediately.";
  const none = wait !== null && isDoubtful(wait.share) ? "Probably no" : "No";
  return `${none} back-off applies, so the kubelet restarts it immediately.`;
}

/** Returns a sentence if the container exited with 0 by itself; an exit with 0 after a kill is not a success. */
function afterSuccess(found: Prediction): string {
  const { facts } = found;
  if (facts.lastCause?.cause !== "exited" || facts.lastExit?.exitCode !== 0) return "";
  const what = restartPolicyOf(found) === "Always" ? "restartPolicy Always" : "a restart rule";
  return `It exited with 0, but ${what} restarts it anyway. `;
}

/** E.g. "The pod's phase is Failed (Evicted)". */
function phaseWords({ phase, reason }: PodSnapshot): string {
  return `The pod's phase is ${phase}${reason === null ? "" : ` (${reason})`}`;
}

function whyStaysDown(found: Prediction): string {
  const { facts, observed } = found;
  const { pod } = observed;
  if (pod.phase === "Succeeded" || pod.phase === "Failed")
    return `${phaseWords(pod)}: its containers will not restart.`;
  if (facts.spec.type === "init" && facts.lastExit?.exitCode === 0) return "Done: init containers run once.";
  const exit = facts.lastExit?.exitCode === 0 ? "success" : `exit code ${facts.lastExit?.exitCode}`;
  return `restartPolicy ${restartPolicyOf(found)} does not restart it after ${exit}.`;
}
