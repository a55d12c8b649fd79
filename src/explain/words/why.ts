import { DEFAULT_CURVE } from "../../kubelet/crash-loop-policy.ts";
import { formatBriefDuration } from "../../kubelet/go-duration.ts";
import { isRootRefused, MOUNT_CURVE } from "../../kubelet/start-obstacles.ts";
import { quoted } from "../answer/excerpt.ts";
import type { ContainerExplanation, ImagePull, Obstacle } from "../answer/explanation.ts";
import { joinedProse, type Prose, prose } from "../answer/prose.ts";
import { conditionOf } from "../observed/lookups.ts";
import type { PodSnapshot } from "../observed/observation.ts";
import { hasNeverRun, NODE_NOT_FOUND, nodeOutage, WITHOUT_NODE } from "../prediction/obstacle.ts";
import { type Prediction, restartPolicyOf } from "../prediction/prediction.ts";
import { hookRunsSince } from "../prediction/start-pace.ts";
import { isScheduled } from "../prediction/state.ts";
import { type CurrentWait, isDoubtful } from "../replay/current-wait.ts";
import { explainedBug } from "./known-bug.ts";
import { afterNextRun, delaysIn, earlierWithAll, endsOfNextRun, whyRunning } from "./next-exit.ts";

export function whyOf(prediction: Prediction): Pick<ContainerExplanation, "why" | "waitSentence" | "whyWithoutWait"> {
  const { overdue } = prediction;
  const { before = "", wait = "", after = "" } = mechanismOf(prediction);
  const late = overdue === null ? "" : prose`99 of 100 such restarts have come by ${{ atMs: overdue.expectedByMs }}.`;
  const bug = explainedBug(prediction)?.sentence ?? "";
  return {
    why: joinedProse(" ", [before, wait, after, late, bug]),
    waitSentence: wait,
    whyWithoutWait: joinedProse(" ", [before, after, late, bug]),
  };
}

interface Mechanism {
  readonly before?: Prose;
  readonly wait?: string;
  readonly after?: Prose;
}

function mechanismOf(prediction: Prediction): Mechanism {
  if (prediction.observed.pod.deletionAtMs !== null && prediction.state !== "running")
    return { before: "The pod is being deleted; its containers will not restart." };
  switch (prediction.state) {
    case "backing-off": {
      if (hasNeverRun(prediction.facts)) return whyNeverRan(prediction);
      const after = joinedProse(" ", [afterNextRun(prediction), heldBack(prediction)]);
      return { before: afterSuccess(prediction), wait: waitOfBackOff(prediction), after };
    }
    case "restarting":
      return prediction.wait !== null && prediction.wait.likeliest.delayMs > 0
        ? { before: restartNow(prediction), after: heldBack(prediction) }
        : { before: afterSuccess(prediction), wait: restartNow(prediction), after: heldBack(prediction) };
    case "running":
      return { before: whyRunning(prediction) };
    case "starting":
      return whyStarting(prediction);
    case "blocked":
      return { before: "It starts when the init containers and sidecars before it have finished or started." };
    case "completed":
    case "failed":
      return { before: whyStaysDown(prediction) };
    case "unknown":
      return { before: whyUnknown(prediction) };
  }
}

/**
 * Kubelets of v1.37 and older back off a container only if the runtime has an exited instance of the container
 * (`doBackOff`, pkg/kubelet/kuberuntime/kuberuntime_manager.go, v1.37.1); kubernetes/kubernetes#142033 may change that.
 */
function whyNeverRan({ obstacle, delayMs }: Prediction): Mechanism {
  const cause = obstacle === null || obstacle.message === "" ? "" : `: ${obstacle.message}`;
  const wait =
    delayMs === null ? "" : `The kubelet waits ${formatBriefDuration(delayMs)} after the last failed attempt.`;
  return { before: `The container has never run, because its start fails${cause}.`, wait };
}

function whyUnknown({ facts, observed: { pod } }: Prediction): string {
  if (facts.spec.type === "ephemeral") return "Ephemeral containers never restart.";
  if (pod.phase === "Failed" || pod.phase === "Succeeded")
    return `${phaseWords(pod)}; the API has no status of this container.`;
  return "No status reported yet.";
}

function whyStarting({ facts, imagePull, obstacle, observed }: Prediction): Mechanism {
  if (imagePull !== null) {
    const cause = imagePull.cause === "" ? "" : `: ${imagePull.cause}`;
    return { before: `Image pull failed${cause}.`, wait: waitOfPull(imagePull) };
  }
  if (obstacle === null) return { before: whyInHook(facts) ?? whyNotStarted(observed.pod) };
  const { kind, reason, message } = obstacle;
  const nextAttempt = reason === NODE_NOT_FOUND ? WITHOUT_NODE : isRootRefused(message) ? IN_VAIN : NEXT_ATTEMPT[kind];
  const wait = kind === "node" || nodeOutage(observed) === null ? nextAttempt : "";
  if (kind === "container") {
    const state = facts.status?.state;
    const said = state?.kind === "waiting" ? quoted(state.message ?? "") : "";
    const after = facts.lastExit === null ? "" : "Each failed attempt also lengthens its restart back-off.";
    return { before: `The container cannot be created${said === "" ? "" : `: ${said}`}.`, wait, after };
  }
  const words = message === "" ? reason : `${message.charAt(0).toUpperCase()}${message.slice(1)}`;
  return { before: `${words}.`, wait };
}

function whyInHook(facts: Prediction["facts"]): Prose | null {
  const sinceMs = hookRunsSince(facts);
  if (sinceMs === null) return null;
  return prose`Its process has been running since ${{ atMs: sinceMs }}, and the kubelet waits for its postStart hook: the status does not show it as running before the hook ends.`;
}

function whyNotStarted(pod: PodSnapshot): Prose {
  if (!isScheduled(pod)) return "The pod is not scheduled yet, so no kubelet has it.";
  if (pod.startedAtMs === null) return `The kubelet of ${pod.nodeName ?? "its node"} has not taken the pod yet.`;
  const ready = conditionOf(pod, "PodReadyToStartContainers")?.status;
  const isReady = ready === "True" || pod.statuses.some(({ state }) => state?.kind === "running");
  const notReady =
    ready === "False"
      ? "preparing its volumes or its sandbox (PodReadyToStartContainers is False)"
      : "preparing its volumes, its sandbox or its image";
  const step = isReady ? "pulling its image or creating it" : notReady;
  return prose`The kubelet took the pod at ${{ atMs: pod.startedAtMs }} and is ${step}; no event says what fails.`;
}

const RETRIES = "The kubelet retries every 10-15s and starts it once that is fixed.";
const IN_VAIN = "The kubelet retries every 10-15s, in vain until the image or the pod template names another user.";

function waitOfPull({ delayMs }: ImagePull): string {
  const own = "Image pulls have their own back-off";
  return delayMs === null ? `${own}.` : `${own}: ${formatBriefDuration(delayMs)} after the last failure.`;
}

const NEXT_ATTEMPT: Readonly<Record<Obstacle["kind"], string>> = {
  container: RETRIES,
  node: "Nothing in the pod starts until that node is ready.",
  scheduling: "No kubelet has the pod yet: the scheduler assigns it as soon as a node fits.",
  gates: "The scheduler ignores the pod until its controller removes them (spec.schedulingGates).",
  // See `completeWork` (pkg/kubelet/pod_workers.go, v1.37.1), which retries earlier if the network is not ready.
  network: "The kubelet retries every 1-2s; nothing starts until the node's network is ready.",
  attach: "The attach-detach controller retries; nothing in the pod starts until the volume is attached.",
  // See pkg/util/goroutinemap/exponentialbackoff (v1.37.1).
  volume: `The kubelet retries the mount at most ${formatBriefDuration(MOUNT_CURVE.maxMs)} after the last failure; nothing in the pod starts until it succeeds.`,
  // See `completeWork` (pkg/kubelet/pod_workers.go, v1.37.1).
  devices: "The kubelet retries 10-15s after each failure; nothing in the pod starts until its devices are prepared.",
  sandbox: "The kubelet retries 10-15s after each failure; nothing in the pod starts until its sandbox exists.",
};

function waitOfBackOff(prediction: Prediction): string {
  const { wait, delayMs } = prediction;
  if (delayMs === null) return "It is backing off, but the time of its last exit is unknown.";
  if (wait === null)
    return `The kubelet waits ${formatBriefDuration(delayMs)} after the last exit, whose time is unknown.`;
  const delay = formatBriefDuration(delayMs);
  const reset = resetDuringWait(prediction, wait);
  if (reset !== "")
    return `The back-off resets ${reset}, which ends the ${delay} wait: the kubelet restarts it at its next sync. The next wait is only ${formatBriefDuration(prediction.policy.initialMs)}.`;
  const waits = prediction.otherDelaysMs?.includes(0) === true ? "probably waits" : "waits";
  return `The kubelet ${waits} ${delaysIn({ ...prediction, delayMs }) ?? delay} after this exit${afterNextExit(prediction, delayMs)}`;
}

function resetDuringWait({ policy }: Prediction, { likeliest, finishedAtMs }: CurrentWait): string {
  if (!likeliest.isDropped) return "";
  const after = formatBriefDuration(likeliest.readyAtMs - finishedAtMs);
  return `${after} after this exit (${formatBriefDuration(policy.resetAfterMs)} after the last start)`;
}

function heldBack({ heldBackBy, restartAll }: Prediction): string {
  if (restartAll !== null) return earlierWithAll(restartAll);
  if (heldBackBy === null) return "";
  return `Sidecar ${heldBackBy} is down too; kubelets v1.36 and older start app containers only after it.`;
}

function afterNextExit(prediction: Prediction, delayMs: number): string {
  const { nodeName } = prediction.observed.pod;
  const { maxMs } = prediction.policy;
  if (delayMs >= maxMs) {
    const usually = maxMs === DEFAULT_CURVE.maxMs ? "" : ` (${formatBriefDuration(DEFAULT_CURVE.maxMs)} by default)`;
    return `, the maximum${nodeName === null ? "" : ` on ${nodeName}`}${usually}.`;
  }
  const ends = endsOfNextRun(prediction);
  if (ends === null || ends.areDifferent) return ".";
  return `, ${formatBriefDuration(ends.afterExitMs)}${ends.afterExitMs >= maxMs ? " (maximum)" : ""} after the next.`;
}

function restartNow(prediction: Prediction): string {
  const { facts, wait, observed } = prediction;
  if (facts.lastCause?.cause === "restart-all" || facts.decision === "restart-all")
    return "A RestartAllContainers rule restarts all containers of the pod, without back-off.";
  const isNodeReady = nodeOutage(observed) === null;
  const isPulled = facts.spec.imagePullPolicy === "Always";
  const when = isPulled ? "as soon as it has pulled the image (imagePullPolicy Always)" : "immediately";
  const then = (words: string): string => (isNodeReady ? `${words}.` : ".");
  if (wait !== null && wait.likeliest.delayMs > 0) {
    const delay = formatBriefDuration(wait.likeliest.delayMs);
    const reset = resetDuringWait(prediction, wait);
    const over =
      reset === "" ? `The ${delay} wait is over` : `The back-off has reset ${reset}, which ended the ${delay} wait`;
    return `${over}${then("; it restarts at the kubelet's next sync")}`;
  }
  if (wait?.rules.includes("kubelet-restart") === true)
    return `The kubelet restarted and lost its back-off state${then(`, so it restarts the container ${when}`)}`;
  if (wait !== null && wait.likeliest.countedFromMs < wait.finishedAtMs)
    return `The kubelet killed it itself, so it counts the wait from the previous exit. That wait is already over${then(`: it restarts ${when}`)}`;
  const none = wait !== null && isDoubtful(wait.share) ? "Probably no" : "No";
  return `${none} back-off applies${then(`, so the kubelet restarts it ${when}`)}`;
}

/** An exit with code 0 after a kill is no success. */
function afterSuccess(prediction: Prediction): string {
  const { facts } = prediction;
  if (facts.lastCause?.cause !== "exited" || facts.lastExit?.exitCode !== 0) return "";
  const what = restartPolicyOf(prediction) === "Always" ? "restartPolicy Always" : "a restart rule";
  return `It exited with 0, but ${what} restarts it anyway.`;
}

function phaseWords({ phase, reason }: PodSnapshot): string {
  return `The pod's phase is ${phase}${reason === null ? "" : ` (${reason})`}`;
}

function whyStaysDown(prediction: Prediction): string {
  const { facts, observed } = prediction;
  const { pod } = observed;
  // Assumed: a failed pod without a reason failed because of its containers.
  const isByOwnExit = pod.phase === "Failed" && pod.reason === null && facts.lastExit !== null;
  if (pod.phase === "Succeeded" || (pod.phase === "Failed" && !isByOwnExit))
    return `${phaseWords(pod)}: its containers will not restart.`;
  if (facts.spec.type === "init" && facts.lastExit?.exitCode === 0) return "Done: init containers run once.";
  const exit = facts.lastExit?.exitCode === 0 ? "success" : `exit code ${facts.lastExit?.exitCode}`;
  return `restartPolicy ${restartPolicyOf(prediction)} does not restart it after ${exit}.`;
}
