import { formatBriefDuration } from "../../kubelet/go-duration.ts";
import { restartPolicyInForce } from "../../kubelet/restart-policy.ts";
import type { KubeletTraits } from "../../kubelet/traits.ts";
import { shortened, startErrorIn } from "../answer/excerpt.ts";
import type { ExitCause } from "../history/exit-cause.ts";
import { restartSpecOf } from "../history/restart-spec.ts";
import type { ContainerSpec, PodObservation, TerminatedState } from "../observed/observation.ts";
import { probeKill } from "./probe-kill.ts";

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

/** What usually leads to an end by such a signal; the others say it with their name. */
const BY_SIGNAL: Readonly<Record<number, string>> = {
  4: "illegal instruction (SIGILL), usually a program that was built for a newer CPU",
  6: "aborted (SIGABRT), usually by a failed assertion, a fatal error of the runtime or a failed allocation",
  9: "killed with SIGKILL. Kubernetes does not record by whom: the kubelet after a grace period, the OOM killer (usually shown as OOMKilled), or someone else",
  11: "segmentation fault (SIGSEGV), usually a bug in native code or a mismatched library",
  15: "stopped by SIGTERM. Something asked it to stop: the kubelet, a wrapper script, or the program itself",
};

/** An exit in one or two sentences: its cause if that is known or likely, else what its code usually means, never more. */
export function meaningOfExit(
  exit: TerminatedState,
  { cause, basis }: Pick<ExitCause, "cause" | "basis">,
  spec: ContainerSpec,
  observed: PodObservation,
  traits: KubeletTraits,
): string {
  const probably = basis === "inferred" ? "probably " : "";
  const code = `exit code ${exit.exitCode}`;
  switch (cause) {
    case "oom":
      return outOfMemory(exit, spec, observed);
    case "liveness-probe":
    case "startup-probe":
      return probeKill({ exit, cause, basis, spec, observed });
    case "post-start-hook":
      return `The kubelet ${probably}killed it: its postStart hook failed (${code}).`;
    case "start-error":
      return `The container runtime could not start it (${code})${startErrorIn(exit.message)}; your program never ran.`;
    case "restart-all":
      return `Restarted with the whole pod by ${triggerIn(observed)} RestartAllContainers rule.`;
    case "spec-change":
      return `The kubelet ${probably}killed it because its spec changed (${code}).`;
    default:
      return meaningOfCode(exit, spec, observed, traits);
  }
}

/** A record of memory that a node has run out of concerns the kills of that time. */
const SYSTEM_OOM_SLACK_MS = 30_000;

/** The limit that counts: the container's own, else the pod's; without one, or if the node says so, it was the node's memory. */
function outOfMemory(
  exit: TerminatedState,
  { memoryLimit }: ContainerSpec,
  { pod, nodeEvents }: PodObservation,
): string {
  const { startedAtMs, finishedAtMs } = exit;
  const ran =
    startedAtMs === null || finishedAtMs === null
      ? ""
      : ` after ${formatBriefDuration(Math.max(0, finishedAtMs - startedAtMs))}`;
  const isOfNode = nodeEvents.some(
    ({ reason, lastAtMs }) =>
      reason === "SystemOOM" && Math.abs((lastAtMs ?? 0) - (finishedAtMs ?? 0)) <= SYSTEM_OOM_SLACK_MS,
  );
  const what = isOfNode
    ? "the node ran out of memory"
    : memoryLimit !== undefined
      ? `it exceeded its ${memoryLimit} memory limit`
      : pod.memoryLimit !== undefined
        ? `the pod exceeded its ${pod.memoryLimit} memory limit`
        : "the container has no memory limit, so the node ran out of memory";
  return `OOMKilled (exit code ${exit.exitCode}): ${what}${ran}.`;
}

/** The container whose rule it was, "trigger's", if only one has such a rule. */
function triggerIn({ pod }: PodObservation): string {
  const [trigger, ...more] = pod.containers.filter(({ restartPolicyRules }) =>
    restartPolicyRules.some(({ action }) => action === "RestartAllContainers"),
  );
  return trigger === undefined || more.length > 0 ? "a" : `${trigger.name}'s`;
}

function meaningOfCode(
  exit: TerminatedState,
  spec: ContainerSpec,
  observed: PodObservation,
  traits: KubeletTraits,
): string {
  const code = exit.exitCode;
  // pkg/kubelet/kubelet_pods.go, convertToAPIContainerStatuses, v1.37.1: of an instance that the runtime no longer knows
  if (exit.reason === "ContainerStatusUnknown") {
    return `How it ended is not recorded: the runtime no longer knew the container, and the kubelet made up the exit code ${code}.`;
  }
  const signal = exit.signal !== null && exit.signal > 0 ? exit.signal : code > 128 && code <= 192 ? code - 128 : null;
  if (signal !== null)
    return `Exit code ${code}: ${BY_SIGNAL[signal] ?? `ended by signal ${signal}${nameOf(signal)}`}.`;
  const runs = spec.command === undefined ? "" : ` It runs "${shortened(spec.command)}".`;
  switch (code) {
    case 0:
      return `Exit code 0: it finished successfully.${belongsInJob(spec, observed, traits)}`;
    case 126:
      return `Exit code 126: usually a command that cannot be executed (permission, or not a program for this platform).${runs}`;
    case 127:
      return `Exit code 127: usually a command that was not found; check command, args, PATH and the script's #! line.${runs}`;
    case 255:
      return `Exit code 255: usually exit(-1), or an image for another architecture${nodeIs(observed)}.`;
    default:
      return `Exit code ${code}: the program stopped with an error.`;
  }
}

/** Who sees a success restarted did not expect it. */
function belongsInJob(spec: ContainerSpec, { pod }: PodObservation, traits: KubeletTraits): string {
  const isAlways = restartPolicyInForce(restartSpecOf(spec, pod), traits) === "Always";
  return spec.type === "app" && isAlways
    ? " restartPolicy Always restarts it anyway; a program that is meant to end belongs in a Job."
    : "";
}

function nodeIs({ node }: PodObservation): string {
  return node?.architecture === undefined ? "" : ` (this node is ${node.architecture})`;
}

function nameOf(signal: number): string {
  const name = SIGNALS[signal];
  return name === undefined ? "" : ` (${name})`;
}
