import { hookErrorIn, meaningOfEvent, probeAnswerIn } from "../../kubelet/event-messages.ts";
import { isLostByRuntime, LOST_EXIT_CODE, windowsStatusOf } from "../../kubelet/exit-codes.ts";
import { formatBriefDuration } from "../../kubelet/go-duration.ts";
import { quoted, SIGNALS } from "../answer/excerpt.ts";
import type { Cause } from "../answer/explanation.ts";
import type { ExitCause } from "../history/exit-cause.ts";
import type { ContainerSpec, PodObservation, Probe, TerminatedState } from "../observed/observation.ts";

/** An exit in one sentence: its cause if that is known or likely, else what its code means by convention, never more. */
export function meaningOfExit(
  exit: TerminatedState,
  { cause, basis, stoppedWith }: Pick<ExitCause, "cause" | "basis" | "stoppedWith">,
  spec: ContainerSpec,
  observed: PodObservation,
): string {
  if (stoppedWith !== undefined) return `Probably ${STOPPED_WITH[stoppedWith]} (exit code ${exit.exitCode}).`;
  const ofCode = meaningOfCode(exit, basis);
  const sentence = sentenceOf(exit, cause, ofCode, spec, observed);
  const isGuess = basis === "inferred" && sentence !== ofCode;
  return isGuess ? `Probably ${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}` : sentence;
}

const STOPPED_WITH: Readonly<Record<NonNullable<ExitCause["stoppedWith"]>, string>> = {
  pod: "the kubelet stopped it because the pod is being deleted",
  node: "it ended with its node, its container runtime or the pod's sandbox, which stopped then",
};

function sentenceOf(
  exit: TerminatedState,
  cause: Cause,
  ofCode: string,
  spec: ContainerSpec,
  observed: PodObservation,
): string {
  switch (cause) {
    case "oom":
      return `OOMKilled (exit code ${exit.exitCode})${outOfMemory(spec)}.`;
    case "liveness-probe":
      return killed("liveness", spec, exit, observed);
    case "startup-probe":
      return killed("startup", spec, exit, observed);
    case "post-start-hook":
      return `Its postStart hook failed${hookError(spec, observed)}, so the kubelet killed it (exit code ${exit.exitCode}).`;
    case "start-error":
      return `The runtime could not start it (exit code ${exit.exitCode}): nothing of it ran.`;
    case "restart-all":
      return "Removed with all containers of the pod, because a restart rule asked for that.";
    case "spec-change":
      return `The kubelet killed it because its spec changed (exit code ${exit.exitCode}).`;
    default:
      return ofCode;
  }
}

function outOfMemory({ memoryLimit, isFromStatus }: ContainerSpec): string {
  if (memoryLimit !== null) return `: it exceeded its memory limit of ${memoryLimit}`;
  if (isFromStatus === true) return ": it was out of memory";
  return ": the node or the pod ran out of memory (the container has no limit of its own)";
}

function hookError({ name }: ContainerSpec, { pod }: PodObservation): string {
  const state = pod.statuses.find((status) => status.name === name)?.state;
  const error = state?.kind === "waiting" ? hookErrorIn(state.message) : null;
  return error === null ? "" : ` (${quoted(error)})`;
}

/** What the probe was answered before the exit, if an event says so. */
function lastAnswer(probe: "liveness" | "startup", { name }: ContainerSpec, { events }: PodObservation): string {
  const failure = events.find(({ reason, message, container }) => {
    return container === name && meaningOfEvent(reason, message) === `${probe}-failure`;
  });
  return failure === undefined ? "" : `, and its last answer was: ${quoted(probeAnswerIn(failure.message))}`;
}

function killed(
  probe: "liveness" | "startup",
  container: ContainerSpec,
  exit: TerminatedState,
  observed: PodObservation,
): string {
  const spec = probe === "liveness" ? container.livenessProbe : container.startupProbe;
  const code = `exit code ${exit.exitCode}`;
  if (spec === null) return `The kubelet killed it after its ${probe} probe failed (${code}).`;
  const allowedMs = spec.failureThreshold * spec.periodMs;
  const grace = exit.exitCode === 137 ? `, with SIGKILL after ${graceOf(spec, observed)} of grace` : "";
  const failures = `${formatBriefDuration(allowedMs)} of failure (${spec.failureThreshold} in a row, one every ${formatBriefDuration(spec.periodMs)})`;
  const answer = lastAnswer(probe, container, observed);
  return `The kubelet killed it after its ${probe} probe failed (${code}${grace}); the probe allows ${failures}${answer}.`;
}

function graceOf(probe: Probe, observed: PodObservation): string {
  return formatBriefDuration(probe.gracePeriodMs ?? observed.pod.gracePeriodMs);
}

/** A program for another architecture fails within this time. */
const LONGEST_EXEC_MS = 2_000;

function meaningOfCode(exit: TerminatedState, basis: ExitCause["basis"]): string {
  const byItself = basis === "observed" ? "it" : "as far as the status shows, it";
  const code = exit.exitCode;
  // pkg/kubelet/kubelet_pods.go, convertToAPIContainerStatuses, v1.37.1: of an instance that the runtime no longer knows
  if (exit.reason === "ContainerStatusUnknown") {
    return `How it ended is not recorded: the runtime no longer knew the container, and the kubelet made up the exit code ${code}.`;
  }
  const signal = exit.signal !== null && exit.signal > 0 ? exit.signal : code > 128 && code <= 192 ? code - 128 : null;
  if (signal === 9) {
    return `Exit code ${code}: killed with SIGKILL. Kubernetes does not record by whom: the kubelet after a grace period, the OOM killer (usually shown as OOMKilled), or someone else.`;
  }
  if (signal !== null) return `Exit code ${code}: by convention, ended by signal ${signal}${nameOf(signal)}.`;
  if (code === 0) return `Exit code 0: ${byItself} finished by itself and reported success.`;
  if (code === 126) return "Exit code 126: by convention, the command could not be executed.";
  if (code === 127) return "Exit code 127: by convention, the command was not found.";
  const windows = windowsStatusOf(code);
  if (windows !== null) return `Exit code ${code} (${windows.name}): ${windows.means}.`;
  if (isLostByRuntime(exit)) {
    return `Exit code ${code}, reason Unknown: the container runtime lost the container, usually because it or its node restarted. How the container ended is not recorded.`;
  }
  if (code === LOST_EXIT_CODE) {
    const ranMs = (exit.finishedAtMs ?? 0) - (exit.startedAtMs ?? exit.finishedAtMs ?? 0);
    const other =
      ranMs > LONGEST_EXEC_MS
        ? "a restart of the node or its container runtime"
        : '"exec format error" (an image for another architecture)';
    return `Exit code ${code}: exit(-1), a fatal error of a Go program (klog.Fatal), or ${other}.`;
  }
  return `Exit code ${code}: ${byItself} ended by itself and reported an error.`;
}

function nameOf(signal: number): string {
  const name = SIGNALS[signal];
  return name === undefined ? "" : ` (${name})`;
}
