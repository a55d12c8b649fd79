import { meaningOfEvent, probeAnswerIn } from "../kubelet/event-messages.ts";
import type { NotReadyPod } from "./answer/backoff-list.ts";
import { quoted } from "./answer/excerpt.ts";
import type { ContainerExplanation, PodExplanation } from "./answer/explanation.ts";
import { isNodeDown, isWithoutNode } from "./answer/node-outage.ts";
import {
  conditionOf,
  countsForReady,
  isOnlyApp,
  newestOf,
  readinessOf,
  readyHeldByGates,
  statusOf,
  workloadOf,
} from "./observed/lookups.ts";
import type { PodObservation, PodSnapshot } from "./observed/observation.ts";
import { USUAL_START_MS } from "./triage.ts";

export function podOfRow(observed: PodObservation) {
  const { namespace, name, nodeName, owner, createdAtMs } = observed.pod;
  const workload = workloadOf(observed);
  return { namespace, pod: name, node: nodeName, owner, workload, createdAtMs, readiness: readinessOf(observed.pod) };
}

export function notReadyPod(explained: PodExplanation, observed: PodObservation, atMs: number): NotReadyPod[] {
  const { pod } = observed;
  const sinceMs = notReadySinceMs(pod);
  if (sinceMs === null || !isLongNotReady(pod, atMs)) return [];
  const running = explained.containers.find(({ type, state }) => type === "init" && state === "running");
  const isUnready = (one: ContainerExplanation): boolean => countsForReady(one) && one.isReady !== true;
  const container = running ?? explained.containers.find(isUnready) ?? null;
  const shown = container && {
    name: container.name,
    isOnlyApp: isOnlyApp(container.name, pod),
    restartCount: container.restartCount,
    reported: container.reported,
  };
  const waitsFor = running?.name ?? null;
  return [
    { ...podOfRow(observed), sinceMs, waitsFor, ...whyNotReady(explained, observed, container), container: shown },
  ];
}

type Why = Pick<NotReadyPod, "cause" | "message">;

function whyNotReady(explained: PodExplanation, observed: PodObservation, container: ContainerExplanation | null): Why {
  if (isWithoutNode(explained)) return { cause: "node", message: "it does not exist" };
  if (isNodeDown(explained)) return { cause: "node", message: null };
  if (container === null) return causeWithoutContainer(observed.pod);
  switch (container.state) {
    case "running":
      return container.type === "init" ? { cause: "init-container", message: null } : failingProbe(container, observed);
    case "completed":
    case "failed": {
      const { exitCode = null } = container.lastExit ?? {};
      return { cause: "ended", message: exitCode === null ? null : `exit ${exitCode}` };
    }
    case "starting":
    case "blocked":
      return { cause: "starting", message: null };
    default:
      return { cause: "unknown", message: null };
  }
}

function causeWithoutContainer(pod: PodSnapshot): Why {
  const held = readyHeldByGates(pod);
  if (held === null) return { cause: "unknown", message: null };
  return { cause: "readiness-gate", message: held.message === null ? null : quoted(held.message) };
}

/** See `UpdatePodStatus` (v1.37.1, pkg/kubelet/prober/prober_manager.go). */
function failingProbe({ name }: ContainerExplanation, { pod, events }: PodObservation): Why {
  const { startupProbe = null, readinessProbe = null } = pod.containers.find((spec) => spec.name === name) ?? {};
  const isStarting = startupProbe !== null && statusOf(pod, name)?.started !== true;
  if (!isStarting && readinessProbe === null) return { cause: "unknown", message: null };
  const cause = isStarting ? "startup-probe" : "readiness-probe";
  const meaning = isStarting ? "startup-failure" : "readiness-failure";
  const failures = events.filter(
    (event) => event.container === name && meaningOfEvent(event.reason, event.message) === meaning,
  );
  const answer = quoted(probeAnswerIn(newestOf(failures)?.message ?? ""));
  return { cause, message: answer === "" ? null : answer };
}

export function isLongNotReady(pod: PodSnapshot, atMs: number): boolean {
  const sinceMs = notReadySinceMs(pod);
  return sinceMs !== null && atMs - sinceMs >= USUAL_START_MS;
}

export function notReadySinceMs(pod: PodSnapshot): number | null {
  const { nodeName, deletionAtMs, phase, createdAtMs } = pod;
  if (nodeName === null || deletionAtMs !== null || (phase !== "Running" && phase !== "Pending")) return null;
  const ready = conditionOf(pod, "Ready");
  // Inferred: if a Pending pod lacks the condition Ready, the kubelet has not reported on the pod yet.
  if (ready === undefined) return phase === "Pending" ? createdAtMs : null;
  return ready.status === "True" ? null : ready.lastTransitionAtMs;
}
