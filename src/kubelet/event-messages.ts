import { parseGoDuration } from "./go-duration.ts";

/** How messages of the kubelet's events begin in v1.34.4 and v1.37.1. */
const BEGINNINGS = [
  // "Container": pkg/kubelet/kuberuntime/kuberuntime_manager.go, computePodActions
  // "Init container", for sidecars: pkg/kubelet/kuberuntime/kuberuntime_container.go, computeInitContainerActions
  { reason: "Killing", beginning: /^(Init c|C)ontainer \S+ failed liveness probe/, meaning: "liveness-probe" },
  { reason: "Killing", beginning: /^(Init c|C)ontainer \S+ failed startup probe/, meaning: "startup-probe" },
  { reason: "Killing", beginning: /^(Init c|C)ontainer \S+ definition changed/, meaning: "spec-change" },
  // pkg/kubelet/kuberuntime/kuberuntime_container.go, startContainer
  { reason: "Killing", beginning: /^FailedPostStartHook/, meaning: "post-start-hook" },
  // pkg/kubelet/kuberuntime/kuberuntime_container.go, killContainer
  { reason: "Killing", beginning: /^Stopping container/, meaning: "pod-deletion" },
  // pkg/kubelet/prober/prober.go
  { reason: "Unhealthy", beginning: /^Liveness probe/, meaning: "liveness-failure" },
  { reason: "Unhealthy", beginning: /^Startup probe/, meaning: "startup-failure" },
  { reason: "Unhealthy", beginning: /^Readiness probe/, meaning: "readiness-failure" },
  // pkg/kubelet/images/image_manager.go
  { reason: "Failed", beginning: /^Failed to pull image/, meaning: "pull-failure" },
] as const;

type EventMeaning = (typeof BEGINNINGS)[number]["meaning"];

export function meaningOfEvent(reason: string, message: string): EventMeaning | null {
  const newest = withoutAggregation(message);
  return BEGINNINGS.find((row) => row.reason === reason && row.beginning.test(newest))?.meaning ?? null;
}

/**
 * Removes the prefix of an aggregated event's message (`EventAggregatorByReasonMessageFunc`, client-go v0.37.1,
 * tools/record/events_cache.go).
 */
export function withoutAggregation(message: string): string {
  return message.replace(/^\(combined from similar events\): /, "");
}

/**
 * Reads the message of a waiting status, e.g. "back-off 2m40s restarting failed container=app pod=…" (`doBackOff`,
 * pkg/kubelet/kuberuntime/kuberuntime_manager.go, v1.34.4 and v1.37.1).
 */
export function delayMsInMessage(message: string | null): number | null {
  const [, delay = ""] = /^[Bb]ack-off (\S+) restarting failed container/.exec(message ?? "") ?? [];
  const delayMs = parseGoDuration(delay);
  return delayMs !== null && delayMs >= 0 ? delayMs : null;
}

/**
 * Reads the error of a postStart hook, e.g. from 'Exec lifecycle hook ([…]) for Container "app" in Pod "…" failed -
 * error: command 'exit 1' exited with 1: , message: ""' (`Run`, pkg/kubelet/lifecycle/handlers.go, v1.34.4).
 */
export function hookErrorIn(message: string | null): string | null {
  const { error, emptyStderr, output } = HOOK_ERROR.exec(message ?? "")?.groups ?? {};
  if (error === undefined) return null;
  return emptyStderr === undefined || !output ? error.trim() : `${error}: ${output}`;
}

/** In the error of an exec hook, stderr follows the exit code. "message" is stdout, followed by stderr. */
const HOOK_ERROR =
  /^\w+ lifecycle hook .*? failed - error: (?<error>.+?)(?<emptyStderr>: )?(?:, message: "(?<output>.*)")?$/s;

/**
 * Removes the "Error: " with which `startContainer` (pkg/kubelet/kuberuntime/kuberuntime_container.go, v1.37.1) begins
 * the message of a Failed event.
 */
export function failureIn(message: string): string {
  return withoutAggregation(message).replace(/^Error: /, "");
}

export function probeAnswerIn(message: string): string {
  return withoutAggregation(message).replace(/^\w+ probe (?:failed|errored)(?: and resulted in unknown state)?: /, "");
}
