import { formatBriefDuration } from "../../kubelet/go-duration.ts";
import { LONGEST_MOUNT_DELAY_MS } from "../../kubelet/start-obstacles.ts";
import { instantIn, quoted } from "../answer/excerpt.ts";
import type { ImagePull, Obstacle } from "../answer/explanation.ts";
import { conditionOf } from "../observed/lookups.ts";
import type { Prediction } from "../prediction/prediction.ts";
import { isScheduled } from "../prediction/state.ts";
import type { ContainerFacts } from "../replay/facts.ts";
import { phaseWords, restartNow, waitOfBackOff, whyBackingOff, whyRestarting, whyStaysDown } from "./why-down.ts";
import { whyRunning } from "./why-running.ts";

/** The mechanism with its numbers, in one or two sentences, and of what is overdue by when it usually has run its course. */
export function whyOf(found: Prediction): string {
  const { overdue } = found;
  const mechanism = mechanismOf(found);
  return overdue === null
    ? mechanism
    : `${mechanism} 99 of 100 such restarts have come by ${instantIn(overdue.expectedByMs)}.`;
}

function mechanismOf(found: Prediction): string {
  const { observed } = found;
  if (observed.pod.deletionAtMs !== null && found.state !== "running")
    return "The pod is being deleted; its containers will not restart.";
  switch (found.state) {
    case "backing-off":
      return whyBackingOff(found);
    case "restarting":
      return whyRestarting(found);
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

/** What keeps a container from its first start, or its next. */
function whyStarting({ facts, imagePull, obstacle, observed }: Prediction): string {
  if (imagePull !== null) {
    const cause = imagePull.cause === "" ? "" : `: ${imagePull.cause}`;
    return `Image pull failed${cause}. ${waitOfPull(imagePull)}`;
  }
  if (obstacle?.kind === "container") {
    const exits = facts.lastExit === null ? "" : " Each failed attempt also lengthens its restart back-off.";
    return `The container cannot be created${said(facts)} ${RETRIES}${exits}`;
  }
  if (obstacle !== null) return heldUp(obstacle);
  const { pod } = observed;
  if (!isScheduled(pod)) return "The pod is not scheduled yet, so no kubelet has it.";
  if (pod.startedAtMs === null) return `The kubelet of ${pod.nodeName ?? "its node"} has not taken the pod yet.`;
  const since = ` at ${new Date(pod.startedAtMs).toISOString()}`;
  const ready = conditionOf(pod, "PodReadyToStartContainers")?.status;
  const isReady = ready === "True" || pod.statuses.some(({ state }) => state?.kind === "running");
  const notReady =
    ready === "False"
      ? "preparing its volumes or its sandbox (PodReadyToStartContainers is False)"
      : "preparing its volumes, its sandbox or its image";
  const step = isReady ? "pulling its image or creating it" : notReady;
  return `The kubelet took the pod${since} and is ${step}; no event says what fails.`;
}

const RETRIES = "The kubelet retries every 10-15s and starts it once that is fixed.";

function waitOfPull({ delayMs }: ImagePull): string {
  const own = "Image pulls have their own back-off";
  return delayMs === null ? `${own}.` : `${own}: ${formatBriefDuration(delayMs)} after the last failure.`;
}

/** The part of the mechanism that is about the wait, and that no other sentence says; empty where nothing waits. */
export function waitOf(found: Prediction): string {
  const { state, imagePull, obstacle, observed, wait } = found;
  if (observed.pod.deletionAtMs !== null) return "";
  if (state === "backing-off") return waitOfBackOff(found);
  if (state === "restarting") return wait !== null && wait.wait.delayMs > 0 ? "" : restartNow(found);
  if (state !== "starting") return "";
  if (imagePull !== null) return waitOfPull(imagePull);
  if (obstacle === null) return "";
  return obstacle.kind === "container" ? RETRIES : GOES_ON[obstacle.kind];
}

/** The kubelet's own words about the failed step, which name what is missing. */
function said({ status }: ContainerFacts): string {
  const words = status?.state?.kind === "waiting" ? quoted(status.state.message ?? "") : "";
  return words === "" ? "." : `: ${words}.`;
}

/** What happens next, by what stands in the way; a time only where a kubelet has one. */
const GOES_ON: Readonly<Record<Exclude<Obstacle["kind"], "container">, string>> = {
  node: "Nothing in the pod starts until that node is ready.",
  scheduling: "No kubelet has the pod yet: the scheduler assigns it as soon as a node fits.",
  gates: "The scheduler ignores the pod until its controller removes them (spec.schedulingGates).",
  // completeWork, pkg/kubelet/pod_workers.go, v1.37.1: NetworkNotReady is taken for transient
  network: "The kubelet retries every 1-2s; nothing starts until the node's network is ready.",
  attach: "The attach-detach controller retries; nothing in the pod starts until the volume is attached.",
  // pkg/util/goroutinemap/exponentialbackoff, v1.37.1
  volume: `The kubelet retries the mount at most ${formatBriefDuration(LONGEST_MOUNT_DELAY_MS)} after the last failure; nothing in the pod starts until it succeeds.`,
  // completeWork, pkg/kubelet/pod_workers.go, v1.37.1: 10 s and up to half as long again
  devices: "The kubelet retries every 10-15s; nothing in the pod starts until its devices are prepared.",
  sandbox: "The kubelet retries every 10-15s; nothing in the pod starts until its sandbox exists.",
};

function heldUp({ kind, reason, message }: Obstacle): string {
  const words = message === "" ? reason : `${message.charAt(0).toUpperCase()}${message.slice(1)}`;
  return kind === "container" ? `${words}.` : `${words}. ${GOES_ON[kind]}`;
}
