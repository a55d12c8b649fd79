import { formatBriefDuration } from "../../kubelet/go-duration.ts";
import type { Cause } from "../answer/explanation.ts";
import type { ExitCause } from "../history/exit-cause.ts";
import type { ContainerSpec, PodObservation, Probe, TerminatedState } from "../observed/observation.ts";

/** Signals that end containers in practice (signal(7)); 128 + n is a shell's way to say "by signal n". */
const SIGNALS: Readonly<Record<number, string>> = {
  1: "SIGHUP",
  2: "SIGINT",
  3: "SIGQUIT",
  4: "SIGILL",
  6: "SIGABRT",
  7: "SIGBUS",
  8: "SIGFPE",
  9: "SIGKILL",
  11: "SIGSEGV",
  13: "SIGPIPE",
  15: "SIGTERM",
};

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
  node: "its node, its container runtime or the pod's sandbox stopped, and the container with it",
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
      return `Killed by the kernel because it was out of memory (exit code ${exit.exitCode}).`;
    case "liveness-probe":
      return killed("liveness", spec.livenessProbe, exit, observed);
    case "startup-probe":
      return killed("startup", spec.startupProbe, exit, observed);
    case "post-start-hook":
      return `Its postStart hook failed, so the kubelet killed it (exit code ${exit.exitCode}).`;
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

function killed(probe: string, spec: Probe | null, exit: TerminatedState, observed: PodObservation): string {
  const code = `exit code ${exit.exitCode}`;
  if (spec === null) return `The kubelet killed it after its ${probe} probe failed (${code}).`;
  const allowedMs = spec.failureThreshold * spec.periodMs;
  const grace = exit.exitCode === 137 ? `, with SIGKILL after ${graceOf(spec, observed)} of grace` : "";
  const failures = `${formatBriefDuration(allowedMs)} of failure (${spec.failureThreshold} in a row, one every ${formatBriefDuration(spec.periodMs)})`;
  return `The kubelet killed it after its ${probe} probe failed (${code}${grace}); the probe allows ${failures}.`;
}

function graceOf(probe: Probe, observed: PodObservation): string {
  return formatBriefDuration(probe.gracePeriodMs ?? observed.pod.gracePeriodMs);
}

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
  if (code === 255) return "Exit code 255: it failed, possibly with a code out of range.";
  return `Exit code ${code}: ${byItself} ended by itself and reported an error.`;
}

function nameOf(signal: number): string {
  const name = SIGNALS[signal];
  return name === undefined ? "" : ` (${name})`;
}
