import { ceilToSecond, floorToSecond, formatBriefDuration } from "../../kubelet/go-duration.ts";
import { KILLED_BECAUSE } from "../answer/excerpt.ts";
import type { Obstacle } from "../answer/explanation.ts";
import { conditionOf } from "../observed/lookups.ts";
import type { PodSnapshot } from "../observed/observation.ts";
import type { Prediction } from "../prediction/prediction.ts";
import { isOver, isScheduled, reportedOf } from "../prediction/state.ts";
import type { ReplayedContainer } from "../replay/replayed-container.ts";

/** See `SyncPod` and `computePodActions` (pkg/kubelet/kuberuntime/kuberuntime_manager.go, v1.37.1). */
export function planOf(pod: PodSnapshot, containers: readonly Prediction[], atMs: number): string[] {
  if (!isScheduled(pod)) return ["Nothing: the pod is not scheduled."];
  if (pod.deletionAtMs !== null) return ["Stop what still runs and remove the pod; nothing is started."];
  if (isOver(pod)) return [`Nothing: the pod's phase is ${pod.phase}.`];
  const isTrigger = ({ facts: { decision, status } }: Prediction) =>
    decision === "restart-all" && status?.state?.kind === "terminated";
  const trigger = containers.find(isTrigger)?.facts.spec.name;
  if (trigger !== undefined) {
    const step = `Remove all containers by the RestartAllContainers rule of ${trigger}`;
    return [`${step}, and start them again from the first.`];
  }
  const [held] = containers.flatMap(({ obstacle }) => obstacle ?? []);
  const step = held === undefined ? undefined : HELD_UP[held.kind];
  if (held !== undefined && step !== undefined) return [`${step}${held.cause === "" ? "" : `: ${held.cause}`}.`];
  const kills = containers.flatMap((container) => killStep(container, atMs));
  const starts = containers.flatMap((container) => startStep(container, atMs));
  const steps = [...sandboxStep(pod), ...kills, ...starts];
  return steps.length === 0 ? ["Nothing to do."] : steps;
}

const HELD_UP: Partial<Readonly<Record<Obstacle["kind"], string>>> = {
  node: "Nothing until this is over",
  network: "Go no further until this is fixed",
  attach: "Wait for the pod's volumes, and go no further until this is fixed",
  volume: "Wait for the pod's volumes, and go no further until this is fixed",
  devices: "Prepare the pod's devices again, and go no further until this is fixed",
  sandbox: "Create the pod's sandbox again, and go no further until this is fixed",
};

/** See `PodSandboxChanged` (pkg/kubelet/kuberuntime/util/util.go, v1.37.1). */
function sandboxStep(pod: PodSnapshot): string[] {
  const hasRun = pod.statuses.some((status) => status.containerID !== null);
  if (!hasRun) return ["Create the pod's sandbox if needed."];
  const isReported = conditionOf(pod, "PodReadyToStartContainers")?.status === "False";
  // Assumed: a status without a start time is incomplete, and may lack `podIP`, too.
  const hasNoAddress = !pod.hostNetwork && pod.podIP === null && pod.startedAtMs !== null;
  return isReported || hasNoAddress
    ? ["Replace the pod's sandbox, which is not ready: stop everything and start again from the first init container."]
    : [];
}

function killStep({ facts, kill }: Prediction, atMs: number): string[] {
  if (kill === null) return [];
  const leftMs = Math.max(0, kill.atMs + kill.graceMs - atMs);
  const left = `up to ${formatBriefDuration(ceilToSecond(leftMs))} left`;
  return [`${facts.spec.name}: wait for it to stop, because ${KILLED_BECAUSE[kill.cause]} (${left}).`];
}

function startStep(predicted: Prediction, atMs: number): string[] {
  const { facts, state, imagePull } = predicted;
  const { name } = facts.spec;
  switch (state) {
    case "backing-off":
      return [`${name}: keep waiting${untilWhen(predicted, atMs)}.`];
    case "restarting":
      return [`${name}: start it (${startActions(facts)}).`];
    case "starting":
      if (imagePull !== null) return [`${name}: pull ${imagePull.image} once the pull back-off is over.`];
      if (facts.waiting === "pending" || facts.waiting === null) return [`${name}: start it (${startActions(facts)}).`];
      return [`${name}: retry; this fails again (${reportedOf(facts)}) until the cause is fixed.`];
    case "blocked":
      return [`${name}: wait for the containers before it.`];
    default:
      return [];
  }
}

function untilWhen({ delayMs, nextRestart, reset }: Prediction, atMs: number): string {
  const secondsUntil = (instantMs: number): string => formatBriefDuration(Math.max(0, floorToSecond(instantMs - atMs)));
  if (reset?.how === "during-the-wait") return ` until the back-off expires (${secondsUntil(reset.atMs)} left)`;
  if (delayMs === null) return "";
  const delay = formatBriefDuration(delayMs);
  return nextRestart === null ? ` (${delay})` : ` (${secondsUntil(nextRestart.notBeforeMs)} of ${delay} left)`;
}

function startActions({ spec }: ReplayedContainer): string {
  const image = spec.imagePullPolicy === "Always" ? "pull the image" : "check the image";
  return `${image}, create, start${spec.hasPostStart ? ", run its postStart hook" : ""}`;
}
