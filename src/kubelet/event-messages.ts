import { parseGoDuration } from "./go-duration.ts";

/**
 * How the messages of the kubelet's events and statuses begin, where the reason alone does not tell: the one table of
 * them. Read in v1.34.4 and v1.37.1; the source is named in each line.
 */
const BEGINNINGS = [
  // pkg/kubelet/kuberuntime/kuberuntime_manager.go, computePodActions; of sidecars kuberuntime_container.go,
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

/** What a kubelet event says beyond its reason. */
type EventMeaning = (typeof BEGINNINGS)[number]["meaning"];

/** The meaning of an event by reason and the beginning of its message; null if the reason says it all, or it is unknown. */
export function meaningOfEvent(reason: string, message: string): EventMeaning | null {
  return BEGINNINGS.find((row) => row.reason === reason && row.beginning.test(message))?.meaning ?? null;
}

/**
 * The delay in a waiting status, as Go prints it: "back-off 2m40s restarting failed container=app pod=…"
 * (`doBackOff`, pkg/kubelet/kuberuntime/kuberuntime_manager.go, v1.34.4 and v1.37.1); v1.15 and older begin it with a capital.
 * Null if there is none.
 */
export function delayInMessage(message: string | null): string | null {
  return /^[Bb]ack-off (\S+) restarting failed container/.exec(message ?? "")?.[1] ?? null;
}

/** The same in milliseconds; null also if it is no delay. */
export function delayMsInMessage(message: string | null): number | null {
  const delayMs = parseGoDuration(delayInMessage(message) ?? "");
  return delayMs !== null && delayMs >= 0 ? delayMs : null;
}

/**
 * What went wrong in a postStart hook: 'Exec lifecycle hook ([…]) for Container "app" in Pod "…" failed - error: command
 * '/bin/sh -c exit 1' exited with 1: , message: ""' (pkg/kubelet/lifecycle/handlers.go, v1.34.4). Null if that is not said.
 */
export function hookErrorIn(message: string | null): string | null {
  const { error, isOpen, output } = HOOK_ERROR.exec(message ?? "")?.groups ?? {};
  if (error === undefined) return null;
  return isOpen === undefined || output === "" ? error.trim() : `${error}: ${output}`;
}

/** After the exit code stands what the hook wrote to stderr; where that is nothing, its whole output tells more. */
const HOOK_ERROR =
  /^\w+ lifecycle hook .*? failed - error: (?<error>.+?)(?<isOpen>: )?(?:, message: "(?<output>.*)")?$/s;

/** What a failed probe was answered: "HTTP probe failed with statuscode: 500". */
export function probeAnswerIn(message: string): string {
  return message.replace(/^\w+ probe (?:failed|errored): /, "");
}
