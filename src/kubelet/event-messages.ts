import { parseGoDuration } from "./go-duration.ts";

/** The beginnings of kubelet event messages that distinguish events with one reason. Read in v1.34.4 and v1.37.1. */
const BEGINNINGS = [
  // pkg/kubelet/kuberuntime/kuberuntime_manager.go, computePodActions; for sidecars kuberuntime_container.go,
  // computeInitContainerActions
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

/** Returns what an event means if its reason alone does not say it; else null. */
export function meaningOfEvent(reason: string, message: string): EventMeaning | null {
  const own = ownMessage(message);
  return BEGINNINGS.find((row) => row.reason === reason && row.beginning.test(own))?.meaning ?? null;
}

/**
 * Removes the prefix that client-go puts before the newest message if it makes one event of many whose messages differ
 * (`EventAggregate`, k8s.io/client-go v0.37.1, tools/record/events_cache.go).
 */
function ownMessage(message: string): string {
  return message.replace(/^\(combined from similar events\): /, "");
}

/**
 * Returns the delay in the message of a waiting status: "back-off 2m40s restarting failed container=app pod=…"
 * (`doBackOff`, pkg/kubelet/kuberuntime/kuberuntime_manager.go, v1.34.4 and v1.37.1); v1.15 and older write "Back-off".
 * Null if the message has no delay.
 */
export function delayMsInMessage(message: string | null): number | null {
  const [, delay = ""] = /^[Bb]ack-off (\S+) restarting failed container/.exec(message ?? "") ?? [];
  const delayMs = parseGoDuration(delay);
  return delayMs !== null && delayMs >= 0 ? delayMs : null;
}

/**
 * Returns the error of a postStart hook from a message: 'Exec lifecycle hook ([…]) for Container "app" in Pod "…"
 * failed - error: command '/bin/sh -c exit 1' exited with 1: , message: ""' (pkg/kubelet/lifecycle/handlers.go,
 * v1.34.4). Adds the hook's output if its stderr is empty. Null if the message has no such error.
 */
export function hookErrorIn(message: string | null): string | null {
  const { error, isOpen, output } = HOOK_ERROR.exec(message ?? "")?.groups ?? {};
  if (error === undefined) return null;
  return isOpen === undefined || output === "" ? error.trim() : `${error}: ${output}`;
}

/** The hook's stderr follows the exit code. If it is empty, the group `output` (stdout and stderr) is more useful. */
const HOOK_ERROR =
  /^\w+ lifecycle hook .*? failed - error: (?<error>.+?)(?<isOpen>: )?(?:, message: "(?<output>.*)")?$/s;

/**
 * Returns the error in the message of a Failed event: "Error: ErrImagePull" (`startContainer`,
 * pkg/kubelet/kuberuntime/kuberuntime_container.go, v1.37.1).
 */
export function failureIn(message: string): string {
  return ownMessage(message).replace(/^Error: /, "");
}

/** Returns the result of a failed probe, e.g. "HTTP probe failed with statuscode: 500". */
export function probeAnswerIn(message: string): string {
  return ownMessage(message).replace(/^\w+ probe (?:failed|errored)(?: and resulted in unknown state)?: /, "");
}
