import { delayMsInMessage } from "../../kubelet/event-messages.ts";
import type { CrashLoopPolicy } from "../../kubelet/policy.ts";
import {
  decideRestart,
  type RestartDecision,
  type RestartingExits,
  restartingExits,
} from "../../kubelet/restart-policy.ts";
import { kindOfWaiting, type WaitingKind } from "../../kubelet/waiting-reasons.ts";
import { statusOf } from "../observed/lookups.ts";
import type { ContainerSpec, ContainerStatus, PodObservation, TerminatedState } from "../observed/observation.ts";
import { type ExitCause, exitCause } from "./exit-cause.ts";
import { type ForcedReset, forcedResets, isForgottenDuring, resetBetween } from "./resets.ts";
import { hasRestartedAll, restartSpecOf, startedWithAll } from "./restart-rules.ts";
import { hiddenRun, type SeenRun, seenRuns } from "./runs.ts";

export interface PastRun extends SeenRun {
  readonly cause: ExitCause;
  /** The probability, 0 to 1, that RestartAllContainers started this run together with all other containers. */
  readonly startedWithAll: number;
  /** The reset of the back-off between the previous run and the start of this one. */
  readonly resetBefore: ForcedReset | undefined;
  /** The kubelet lost the back-off entry while this run was up. */
  readonly isForgotten: boolean;
}

/** The history of one container by records, events and conditions: its runs, why they ended and what reset the back-off. */
export interface ContainerHistory {
  readonly spec: ContainerSpec;
  readonly status: ContainerStatus | null;
  readonly runs: readonly PastRun[];
  readonly resets: readonly ForcedReset[];
  /** An instance is running. While its postStart hook runs, the status may not show it. */
  readonly isRunning: boolean;
  readonly waiting: WaitingKind | null;
  /** The delay of the present wait, if the kubelet's message names it. */
  readonly messageDelayMs: number | null;
  /** The record of the last exit, also one that the kubelet made up. */
  readonly lastExit: TerminatedState | null;
  readonly lastCause: ExitCause | null;
  readonly decision: RestartDecision;
  readonly restartingExits: RestartingExits;
}

export function historyOf(spec: ContainerSpec, observed: PodObservation, policy: CrashLoopPolicy): ContainerHistory {
  const { pod } = observed;
  const status = statusOf(pod, spec.name);
  const reported = seenRuns(spec.name, [...observed.earlier, pod]);
  const hidden = hiddenRun(spec, reported, observed);
  const seen = hidden === null ? reported : [...reported, hidden];
  const resets = forcedResets(observed, spec.name, spec.image, seen);
  const runs = seen.map((run, index) => ({
    ...run,
    cause: exitCause(run, seen[index + 1], spec, observed, policy),
    startedWithAll: startedWithAll(run, seen[index - 1], spec.name, observed, policy),
    resetBefore: resetBetween(resets, seen[index - 1], run),
    isForgotten: isForgottenDuring(run, resets),
  }));
  const state = status?.state ?? null;
  const lastExit = lastRecordOf(status, runs);
  const restartSpec = restartSpecOf(spec, pod);
  const isWithAll = lastExit?.reason === "RestartingAllContainers";
  return {
    spec,
    status,
    runs,
    resets,
    isRunning: state?.kind === "running" || hidden !== null,
    waiting: state?.kind === "waiting" ? kindOfWaiting(state.reason) : null,
    messageDelayMs: state?.kind === "waiting" && hidden === null ? delayMsInMessage(state.message) : null,
    lastExit,
    lastCause: lastExit === null ? null : causeOfExit(lastExit, runs),
    // The sync that kills a container restarts it, whatever its exit code: an exit that still shows was no such kill.
    decision: isWithAll ? "restart-all" : decideRestart(restartSpec, lastExit?.exitCode ?? 1, false, policy.traits),
    restartingExits: restartingExits(restartSpec, policy.traits),
  };
}

/** The record in the API counts, even one that the kubelet made up while an earlier version of the pod has the real exit. */
function lastRecordOf(status: ContainerStatus | null, runs: readonly PastRun[]): TerminatedState | null {
  if (status?.state?.kind === "terminated") return status.state;
  if (status !== null && hasRestartedAll(status)) return status.lastState;
  return runs.findLast(({ exit }) => exit !== null)?.exit ?? status?.lastState ?? null;
}

function causeOfExit({ finishedAtMs, reason }: TerminatedState, runs: readonly PastRun[]): ExitCause {
  const run = runs.findLast((candidate) => candidate.finishedAtMs === finishedAtMs && candidate.exit !== null);
  const cause = reason === "RestartingAllContainers" ? "restart-all" : "unknown";
  return run?.cause ?? { cause, basis: "observed", killedBySync: 0 };
}
