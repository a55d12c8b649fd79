import { formatBriefDuration } from "../../kubelet/go-duration.ts";
import { KILLED_BECAUSE } from "../answer/excerpt.ts";
import type { ContainerExplanation, Obstacle } from "../answer/explanation.ts";
import type { PodObservation, PodSnapshot } from "../observed/observation.ts";
import { pendingKill } from "../prediction/pending-kill.ts";
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
    return [
      `Remove all containers, because a restart rule of ${name} asks for it, and start them anew from the first.`,
    ];
  }
  const held = containers.find(({ explained: { obstacle } }) => (obstacle ?? null) !== null)?.explained.obstacle;
  const step = HELD_UP[held?.kind ?? "container"];
  if (step !== null) return [`${step}${held?.cause === "" ? "" : `: ${held?.cause}`}.`];
  const kills = containers.flatMap((container) => killStep(container, observed, atMs));
  const starts = containers.flatMap((container) => startStep(container, atMs));
  const rest =
    kills.length + starts.length === 0 ? ["Start and stop nothing: all containers are as they should be."] : [];
  return [sandboxStep(pod), ...kills, ...starts, ...rest];
}

/** At what a sync stops that does not get as far as the pod's containers; null if it does. */
const HELD_UP: Readonly<Record<Obstacle["kind"], string | null>> = {
  node: "Nothing while this lasts",
  scheduling: null,
  gates: null,
  network: "Go no further while this lasts",
  attach: "Wait for the pod's volumes, and go no further while this lasts",
  volume: "Wait for the pod's volumes, and go no further while this lasts",
  devices: "Prepare the pod's devices again, and go no further while this lasts",
  sandbox: "Create the pod's sandbox again, and go no further while this lasts",
  container: null,
};

/** A sandbox without an address, or one that the kubelet reports as not ready, is replaced, and all starts from the first. */
function sandboxStep(pod: PodSnapshot): string {
  const hasRun = pod.statuses.some((status) => status.containerID !== null);
  if (!hasRun) return "Create the pod's sandbox, unless that is done.";
  const ready = pod.conditions.find(({ type }) => type === "PodReadyToStartContainers");
  // Without a start time the status was cut, and its address with it.
  const hasNoAddress = !pod.hostNetwork && pod.podIP === null && pod.startedAtMs !== null;
  const isLost = ready?.status === "False" || hasNoAddress;
  return isLost
    ? "Replace the pod's sandbox, which is not ready: stop everything and start anew from the first init container."
    : "Keep the pod's sandbox.";
}

function killStep({ facts }: PlannedContainer, observed: PodObservation, atMs: number): string[] {
  const kill = pendingKill(facts, observed);
  if (kill === null) return [];
  const leftMs = Math.max(0, kill.atMs + kill.graceMs - atMs);
  const left = `up to ${formatBriefDuration(Math.ceil(leftMs / 1000) * 1000)} of grace left`;
  return [`${facts.spec.name}: wait for it to stop, because ${KILLED_BECAUSE[kill.cause]} (${left}).`];
}

function startStep({ facts, explained }: PlannedContainer, atMs: number): string[] {
  const { name, state, imagePull, reported } = explained;
  switch (state) {
    case "backing-off":
      return [`${name}: stop at the back-off check${untilWhen(explained, atMs)}.`];
    case "restarting":
      return [`${name}: pass the back-off check, then ${startSteps(facts)}.`];
    case "starting":
      if (imagePull !== null)
        return [`${name}: stop at the image, unless its pull back-off is over: then pull ${imagePull.image}.`];
      if (facts.waiting === "pending" || facts.waiting === null) return [`${name}: ${startSteps(facts)}.`];
      return [`${name}: try again, and fail again (${reported}) unless what was wrong is put right.`];
    case "blocked":
      return [`${name}: nothing, until the containers before it are done.`];
    default:
      return [];
  }
}

function untilWhen({ delayMs, nextRestart, reset }: ContainerExplanation, atMs: number): string {
  if (reset?.how === "during-the-wait") return `, until its entry is dropped (${toGo(reset.atMs - atMs) ?? "now"})`;
  if (delayMs === null) return "";
  const left = nextRestart === null ? null : toGo(nextRestart.notBeforeMs - atMs);
  return ` (${formatBriefDuration(delayMs)} from its exit${left === null ? "" : `, ${left}`})`;
}

/** Null if there is nothing left. */
function toGo(leftMs: number): string | null {
  const wholeMs = Math.floor(leftMs / 1000) * 1000;
  return wholeMs > 0 ? `${formatBriefDuration(wholeMs)} to go` : null;
}

function startSteps({ spec }: ContainerFacts): string {
  const image = spec.imagePullPolicy === "Always" ? `pull its image` : `check its image`;
  return `${image}, create and start it${spec.hasPostStart ? ", and run its postStart hook" : ""}`;
}
