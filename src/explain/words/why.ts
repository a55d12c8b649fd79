import { formatBriefDuration } from "../../kubelet/go-duration.ts";
import { LONGEST_MOUNT_DELAY_MS } from "../../kubelet/start-obstacles.ts";
import { instantIn, quoted } from "../answer/excerpt.ts";
import type { Obstacle } from "../answer/explanation.ts";
import { isScheduled } from "../prediction/state.ts";
import type { ContainerFacts } from "../replay/facts.ts";
import type { Findings } from "./findings.ts";
import { phaseWords, whyBackingOff, whyRestarting, whyStaysDown } from "./why-down.ts";
import { whyRunning } from "./why-running.ts";

/** The mechanism with its numbers, in one or two sentences, and of what is overdue by when it usually has run its course. */
export function whyOf(found: Findings): string {
  const { overdue } = found;
  const mechanism = mechanismOf(found);
  return overdue === null
    ? mechanism
    : `${mechanism} In 99 of 100 cases it has done so by ${instantIn(overdue.expectedByMs)}.`;
}

function mechanismOf(found: Findings): string {
  const { observed } = found;
  if (observed.pod.deletionAtMs !== null && found.state !== "running")
    return "The pod is being deleted: nothing restarts.";
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
      return "It starts after the init containers and sidecars before it.";
    case "completed":
    case "failed":
      return whyStaysDown(found);
    case "unknown":
      return whyUnknown(found);
  }
}

function whyUnknown({ facts, observed: { pod } }: Findings): string {
  if (facts.spec.type === "ephemeral") return "Ephemeral containers never restart.";
  if (pod.phase === "Failed" || pod.phase === "Succeeded")
    return `${phaseWords(pod)}; the API has no status of this container.`;
  return "No status reported yet.";
}

/** What keeps a container from its first start, or its next. */
function whyStarting({ facts, imagePull, obstacle, observed }: Findings): string {
  if (imagePull !== null) {
    const delay =
      imagePull.delayMs === null
        ? ""
        : ` The next one waits ${formatBriefDuration(imagePull.delayMs)} after the last that failed.`;
    return `Its image cannot be pulled${said(facts)} Pulls have a back-off of their own.${delay}`;
  }
  if (obstacle?.kind === "container") {
    const exits =
      facts.lastExit === null ? "" : " Each attempt also moves its restart back-off on, as it has run before.";
    return `It fails before a process exists${said(facts)} There is nothing to back off from: the kubelet tries again every 10 to 15 seconds.${exits}`;
  }
  if (obstacle !== null) return heldUp(obstacle);
  const { pod } = observed;
  if (!isScheduled(pod)) return "The pod is not scheduled yet, so no kubelet has it.";
  if (pod.startedAtMs === null) return `The kubelet of ${pod.nodeName ?? "its node"} has not taken the pod yet.`;
  const since = ` at ${new Date(pod.startedAtMs).toISOString()}`;
  const ready = pod.conditions.find(({ type }) => type === "PodReadyToStartContainers")?.status;
  const isReady = ready === "True" || pod.statuses.some(({ state }) => state?.kind === "running");
  const notReady =
    ready === "False"
      ? "preparing its volumes or its sandbox (PodReadyToStartContainers is False)"
      : "preparing its volumes, its sandbox or its image";
  const step = isReady ? "pulling its image or creating it" : notReady;
  return `The kubelet took the pod${since} and is ${step}; nothing that was read says what fails.`;
}

/** The kubelet's own words about the failed step, which name what is missing. */
function said({ status }: ContainerFacts): string {
  const words = status?.state?.kind === "waiting" ? quoted(status.state.message ?? "") : "";
  return words === "" ? "." : `: ${words}.`;
}

/** What happens next, by what stands in the way; a time only where a kubelet has one. */
const GOES_ON: Readonly<Record<Exclude<Obstacle["kind"], "container">, string>> = {
  node: "Nothing in the pod starts before that node is ready.",
  scheduling: "No kubelet has the pod yet: the scheduler assigns it as soon as a node fits.",
  gates: "The scheduler takes no notice of the pod before its controller removes them (spec.schedulingGates).",
  // completeWork, pkg/kubelet/pod_workers.go, v1.37.1: NetworkNotReady is taken for transient
  network: "The kubelet tries again every 1 to 2 seconds; nothing starts before the node's network is ready.",
  attach:
    "The attach-detach controller tries again by itself; nothing in the pod starts before the volume is attached.",
  // pkg/util/goroutinemap/exponentialbackoff, v1.37.1
  volume: `The kubelet tries the mount again by itself, ${formatBriefDuration(LONGEST_MOUNT_DELAY_MS)} after the last failure at most; nothing in the pod starts before it succeeds.`,
  // completeWork, pkg/kubelet/pod_workers.go, v1.37.1: 10 s and up to half as long again
  devices: "The kubelet tries again every 10 to 15 seconds; nothing in the pod starts before its devices are prepared.",
  sandbox: "The kubelet tries again every 10 to 15 seconds; nothing in the pod starts before its sandbox exists.",
};

function heldUp({ kind, reason, message }: Obstacle): string {
  const words = message === "" ? reason : `${message.charAt(0).toUpperCase()}${message.slice(1)}`;
  return kind === "container" ? `${words}.` : `${words}. ${GOES_ON[kind]}`;
}
