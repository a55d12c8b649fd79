import { formatBriefDuration } from "../../kubelet/go-duration.ts";
import { KILLED_BECAUSE } from "../answer/excerpt.ts";
import type { ContainerExplanation, Obstacle } from "../answer/explanation.ts";
import { conditionOf } from "../observed/lookups.ts";
import type { PodObservation, PodSnapshot } from "../observed/observation.ts";
import { pendingKill } from "../prediction/next-exit.ts";
import { isOver, isScheduled } from "../prediction/state.ts";
import type { ContainerFacts } from "../replay/facts.ts";

/** A container with all that the plan asks for. */
export interface PlannedContainer {
  readonly facts: ContainerFacts;
  readonly explained: ContainerExplanation;
}

/**
 * What the kubelet's next sync of this pod will do, step by step, in the order of `SyncPod` and `computePodActions`
 * (pkg/kubelet/kuberuntime/kuberuntime_manager.go, v1.34.4 and v1.37.1): sandbox, kills, then what starts and where that
 * stands or fails.
 */
export function planOf(observed: PodObservation, containers: readonly PlannedContainer[], atMs: number): string[] {
  const { pod } = observed;
  if (!isScheduled(pod)) return ["Nothing: the pod is not scheduled."];
  if (pod.deletionAtMs !== null) return ["Stop what still runs and remove the pod; nothing is started."];
  if (isOver(pod)) return [`Nothing: the pod's phase is ${pod.phase}.`];
  const trigger = containers.find(
    ({ facts }) => facts.decision === "restart-all" && facts.status?.state?.kind === "terminated",
  );
  if (trigger !== undefined) {
    const { name } = trigger.facts.spec;
    return [`Remove all containers by the RestartAllContainers rule of ${name}, and start them again from the first.`];
  }
  const held = containers.find(({ explained: { obstacle } }) => (obstacle ?? null) !== null)?.explained.obstacle;
  const step = HELD_UP[held?.kind ?? "container"];
  if (step !== null) return [`${step}${held?.cause === "" ? "" : `: ${held?.cause}`}.`];
  const kills = containers.flatMap((container) => killStep(container, observed, atMs));
  const starts = containers.flatMap((container) => startStep(container, atMs));
  const steps = [...sandboxStep(pod), ...kills, ...starts];
  return steps.length === 0 ? ["Nothing to do."] : steps;
}

/** At what a sync stops that does not get as far as the pod's containers; null if it does. */
const HELD_UP: Readonly<Record<Obstacle["kind"], string | null>> = {
  node: "Nothing until this is over",
  scheduling: null,
  gates: null,
  network: "Go no further until this is fixed",
  attach: "Wait for the pod's volumes, and go no further until this is fixed",
  volume: "Wait for the pod's volumes, and go no further until this is fixed",
  devices: "Prepare the pod's devices again, and go no further until this is fixed",
  sandbox: "Create the pod's sandbox again, and go no further until this is fixed",
  container: null,
};

/** A sandbox without an address, or one that the kubelet reports as not ready, is replaced, and all starts from the first. */
function sandboxStep(pod: PodSnapshot): string[] {
  const hasRun = pod.statuses.some((status) => status.containerID !== null);
  if (!hasRun) return ["Create the pod's sandbox if needed."];
  const ready = conditionOf(pod, "PodReadyToStartContainers");
  // Without a start time the status was cut, and its address with it.
  const hasNoAddress = !pod.hostNetwork && pod.podIP === null && pod.startedAtMs !== null;
  const isLost = ready?.status === "False" || hasNoAddress;
  return isLost
    ? ["Replace the pod's sandbox, which is not ready: stop everything and start again from the first init container."]
    : [];
}

function killStep({ facts }: PlannedContainer, observed: PodObservation, atMs: number): string[] {
  const kill = pendingKill(facts, observed);
  if (kill === null) return [];
  const leftMs = Math.max(0, kill.atMs + kill.graceMs - atMs);
  const left = `up to ${formatBriefDuration(Math.ceil(leftMs / 1000) * 1000)} left`;
  return [`${facts.spec.name}: wait for it to stop, because ${KILLED_BECAUSE[kill.cause]} (${left}).`];
}

function startStep({ facts, explained }: PlannedContainer, atMs: number): string[] {
  const { name, state, imagePull, reported } = explained;
  switch (state) {
    case "backing-off":
      return [`${name}: keep waiting${untilWhen(explained, atMs)}.`];
    case "restarting":
      return [`${name}: start it (${startActions(facts)}).`];
    case "starting":
      if (imagePull !== null) return [`${name}: pull ${imagePull.image} once the pull back-off is over.`];
      if (facts.waiting === "pending" || facts.waiting === null) return [`${name}: start it (${startActions(facts)}).`];
      return [`${name}: retry; this fails again (${reported}) until the cause is fixed.`];
    case "blocked":
      return [`${name}: wait for the containers before it.`];
    default:
      return [];
  }
}

function untilWhen({ delayMs, nextRestart, reset }: ContainerExplanation, atMs: number): string {
  if (reset?.how === "during-the-wait")
    return ` until the back-off expires (${toGo(reset.atMs - atMs) ?? "nothing"} left)`;
  if (delayMs === null) return "";
  const left = nextRestart === null ? null : toGo(nextRestart.notBeforeMs - atMs);
  return left === null ? ` (${formatBriefDuration(delayMs)})` : ` (${left} of ${formatBriefDuration(delayMs)} left)`;
}

/** Null if there is nothing left. */
function toGo(leftMs: number): string | null {
  const wholeMs = Math.floor(leftMs / 1000) * 1000;
  return wholeMs > 0 ? formatBriefDuration(wholeMs) : null;
}

function startActions({ spec }: ContainerFacts): string {
  const image = spec.imagePullPolicy === "Always" ? "pull the image" : "check the image";
  return `${image}, create, start${spec.hasPostStart ? ", run its postStart hook" : ""}`;
}
