import { hookErrorIn } from "../../kubelet/event-messages.ts";
import {
  isLostByRuntime,
  isStatusUnknown,
  LOST_EXIT_CODE,
  SIGKILL,
  windowsStatusOf,
} from "../../kubelet/exit-codes.ts";
import { DAY_MS, formatBriefDuration } from "../../kubelet/go-duration.ts";
import { quoted, SIGNALS, shortened, startErrorIn } from "../answer/excerpt.ts";
import type { LastExit } from "../answer/explanation.ts";
import { type Prose, prose } from "../answer/prose.ts";
import { withoutSecrets } from "../answer/secret-values.ts";
import type { ExitCause } from "../history/exit-cause.ts";
import { onlyTriggerOf } from "../history/restart-rules.ts";
import { runLengthMs } from "../history/runs.ts";
import { statusOf } from "../observed/lookups.ts";
import type { TerminatedState } from "../observed/observation.ts";
import { type Prediction, restartPolicyOf } from "../prediction/prediction.ts";
import { isOver } from "../prediction/state.ts";
import type { ReplayedContainer } from "../replay/replayed-container.ts";
import { crashOf } from "./crash.ts";
import { killersOf, outOfMemory } from "./out-of-memory.ts";
import { probeKill } from "./probe-kill.ts";
import { once, withWhenRead } from "./when-read.ts";

const BY_SIGNAL: Readonly<Record<number, string>> = {
  4: "illegal instruction (SIGILL), usually a program that was built for a newer CPU",
  6: "aborted (SIGABRT), usually by a failed assertion, a fatal error of the runtime or a failed allocation",
  11: "segmentation fault (SIGSEGV), usually a bug in native code or a mismatched library",
  15: "stopped by SIGTERM. Something asked it to stop: the kubelet, a wrapper script, or the program itself",
};

export function explainedExit(prediction: Prediction): LastExit | null {
  const { lastExit, lastCause } = prediction.facts;
  if (lastExit === null || lastCause === null) return null;
  const { startedAtMs, finishedAtMs, exitCode, signal, reason, message } = lastExit;
  const meaning = once(
    () => prose`${meaningOfExit(lastExit, lastCause, prediction)}${lastOnRecord(prediction.facts, lastExit)}`,
  );
  const { cause, basis: causeBasis, stoppedWith } = lastCause;
  const removedRun = removedRunOf(prediction);
  const exit = { startedAtMs, finishedAtMs, exitCode, signal, reason, message, cause, causeBasis };
  const more = {
    ...(stoppedWith !== undefined && { isStopped: true as const }),
    ...(removedRun !== null && { removedRun }),
  };
  return withWhenRead(
    { ...exit, ...more },
    {
      meaning,
      crash: () => crashOf(lastExit, lastCause, meaning(), prediction),
    },
  );
}

function lastOnRecord({ runs }: ReplayedContainer, exit: TerminatedState): Prose {
  const last = runs.findLast((run) => run.exit !== null)?.exit;
  if (!isStatusUnknown(exit) || last === undefined || last === null) return "";
  const at = last.finishedAtMs === null ? "" : prose` at ${{ atMs: last.finishedAtMs }}`;
  return prose` The last exit on record has code ${last.exitCode}${last.reason === null ? "" : ` (${last.reason})`}${at}.`;
}

function meaningOfExit(exit: TerminatedState, exitCause: ExitCause, prediction: Prediction): string {
  const { cause, basis, stoppedWith, offMs } = exitCause;
  const probably = basis === "inferred" ? "probably " : "";
  const code = `exit code ${exit.exitCode}`;
  if (offMs !== undefined) return stoppedAndOff(exit.exitCode, offMs);
  if (isLostByRuntime(exit)) return LOST;
  if (stoppedWith !== undefined) return `${STOPPED_WITH[stoppedWith]} (${code}).`;
  switch (cause) {
    case "oom":
      return outOfMemory(exit, prediction);
    case "liveness-probe":
    case "startup-probe":
      return probeKill(exit, cause, probably, prediction);
    case "post-start-hook":
      return `The kubelet ${probably}killed it because its postStart hook failed${hookError(prediction)}. The container ended with ${code}.`;
    case "start-error": {
      const error = startErrorIn(exit.message);
      return `The container runtime could not start it (${code})${error && `: ${error}`}; your program never ran.`;
    }
    case "restart-all":
      return restartedWithAll(prediction);
    case "spec-change":
      return `The kubelet ${probably}killed it because its spec changed (${code}).`;
    default:
      return meaningOfCode(exit, basis, prediction);
  }
}

const STOPPED_WITH: Readonly<Record<NonNullable<ExitCause["stoppedWith"]>, string>> = {
  pod: "The kubelet probably stopped it because the pod is being deleted",
  sandbox: "Probably the pod's sandbox stopped, and the container with it",
  Evicted: "The kubelet probably stopped it because it evicted the pod",
  DeadlineExceeded: "The kubelet probably stopped it because the pod had run for its activeDeadlineSeconds",
  Preempting: "The kubelet probably stopped it to make room for a critical pod",
  Terminated: "The kubelet probably stopped it because its node was shutting down",
  Shutdown: "The kubelet probably stopped it because its node was shutting down",
  node: "Probably its node, its container runtime or the pod's sandbox stopped, and the container with it",
};

const LOST = `Exit code ${LOST_EXIT_CODE}, reason Unknown: the container runtime lost the container, usually because it or its node restarted. How the container ended is not recorded.`;

/** Assumed: a restart of a node or a container runtime takes less than this, a shutdown of a node takes longer. */
const LONG_OFF_MS = 600_000;

function stoppedAndOff(exitCode: number, offMs: number): string {
  const isLong = offMs >= LONG_OFF_MS;
  const later = formatBriefDuration(isLong ? Math.floor(offMs / 60_000) * 60_000 : offMs);
  const what = isLong
    ? "its node was probably shut down, and stopped it"
    : "its node or container runtime probably restarted, and stopped it";
  return `Exit code ${exitCode}. It was started again only ${later} later: ${what}.`;
}

function hookError({ facts: { spec }, observed }: Prediction): string {
  const state = statusOf(observed.pod, spec.name)?.state;
  const error = state?.kind === "waiting" ? hookErrorIn(state.message) : null;
  return error === null ? "" : `: ${quoted(error)}`;
}

/** Assumed: a record without a reason and times does not show that the program succeeded. */
function isEmptyRecord({ exitCode, signal, reason, startedAtMs, finishedAtMs }: TerminatedState): boolean {
  const hasTimes = startedAtMs !== null || finishedAtMs !== null;
  return exitCode === 0 && (signal ?? 0) === 0 && (reason ?? "") === "" && !hasTimes;
}

/** Assumed: RestartAllContainers caused the last restart in `restartCount`, as measured on v1.36.3 and v1.37.1. */
function removedRunOf({ facts: { lastCause, status }, policy }: Prediction): number | null {
  const isRemoved = lastCause?.cause === "restart-all" && status !== null && status.restartCount > 0;
  return isRemoved && policy.traits.keepsRemovedLogs ? status.restartCount - 1 : null;
}

function restartedWithAll(prediction: Prediction): string {
  const log =
    removedRunOf(prediction) === null
      ? "The kubelet removed its log, too."
      : "Its log is on the node only: kubectl logs -p doesn't find it.";
  const trigger = onlyTriggerOf(prediction.observed.pod);
  const whose = trigger === undefined ? "a" : `${trigger.name}'s`;
  return `Restarted with the whole pod by ${whose} RestartAllContainers rule. ${log}`;
}

/** Assumed: a program that was built for another architecture ends within this time. */
const LONGEST_EXEC_MS = 2_000;

function meaningOfCode(exit: TerminatedState, basis: ExitCause["basis"], prediction: Prediction): string {
  const code = exit.exitCode;
  if (isEmptyRecord(exit)) return "How it ended is not recorded (no reason, no times).";
  if (isStatusUnknown(exit)) return unknownToRuntime(exit, prediction);
  // Shells such as bash and dash exit with 128 + n if signal n ended their command.
  const signal = exit.signal !== null && exit.signal > 0 ? exit.signal : code > 128 && code <= 192 ? code - 128 : null;
  if (signal !== null) {
    if (signal === SIGKILL) return `Exit code ${code}: killed with SIGKILL, ${killersOf(exit, prediction)[0]}.`;
    const name = SIGNALS[signal] === undefined ? "" : ` (${SIGNALS[signal]})`;
    return `Exit code ${code}: ${BY_SIGNAL[signal] ?? `ended by signal ${signal}${name}`}.`;
  }
  const windows = windowsStatusOf(code);
  if (windows !== null) return `Exit code ${code} (${windows.name}): ${windows.means}.`;
  const asShown = basis === "observed" ? "" : "as far as the status shows, ";
  const { command } = prediction.facts.spec;
  const runs = command === undefined ? "" : ` It runs "${shortened(withoutSecrets(command))}".`;
  switch (code) {
    case 0:
      return `Exit code 0: ${asShown}it finished successfully.${belongsInJob(exit, prediction)}`;
    case 126:
      return `Exit code 126: usually a command that cannot be executed (permission, or not a program for this platform).${runs}`;
    case 127:
      return `Exit code 127: usually a command that was not found; check command, args, PATH and the script's #! line.${runs}`;
    case LOST_EXIT_CODE:
      return `Exit code 255: usually exit(-1), a fatal error of a Go program (klog.Fatal), or ${otherwise(exit, prediction)}.`;
    default:
      return `Exit code ${code}: ${asShown}the program stopped with an error.`;
  }
}

/**
 * The kubelet can make up a record for a container whose end it does not know (`convertToAPIContainerStatuses`,
 * pkg/kubelet/kubelet_pods.go; `TerminatePod`, pkg/kubelet/status/status_manager.go, v1.37.1).
 */
function unknownToRuntime({ exitCode, startedAtMs, containerID }: TerminatedState, { facts }: Prediction): string {
  const { restartCount = 0, containerID: ofStatus = null } = facts.status ?? {};
  const hasRun = restartCount > 0 || startedAtMs !== null || containerID !== null || ofStatus !== null;
  return hasRun
    ? `How it ended is not recorded: the runtime no longer knew the container, and the kubelet made up the exit code ${exitCode}.`
    : `It may never have run: the runtime did not know the container, and the kubelet made up the exit code ${exitCode}.`;
}

/** Assumed: a program that ran for at least this time was not meant to end. */
const LONG_SERVICE_MS = DAY_MS;

function belongsInJob(exit: TerminatedState, prediction: Prediction): string {
  const { pod } = prediction.observed;
  const isRestarted = restartPolicyOf(prediction) === "Always" && !isOver(pod);
  const isShort = runLengthMs(exit) < LONG_SERVICE_MS && pod.isStatic !== true;
  return prediction.facts.spec.type === "app" && isRestarted && isShort
    ? " restartPolicy Always restarts it anyway; a program that is meant to end belongs in a Job."
    : "";
}

function otherwise(exit: TerminatedState, { observed }: Prediction): string {
  if (runLengthMs(exit) > LONGEST_EXEC_MS) return "a restart of the node or its container runtime";
  const architecture = observed.node?.architecture;
  const nodeIs = architecture === undefined ? "" : ` (this node is ${architecture})`;
  return `"exec format error": an image for another architecture${nodeIs}`;
}
