import type { CrashLoopPolicy } from "../../kubelet/crash-loop-policy.ts";
import { delayMsInMessage } from "../../kubelet/event-messages.ts";
import { isOfRestartAll } from "../../kubelet/exit-codes.ts";
import {
  decideRestart,
  type RestartDecision,
  type RestartingExits,
  restartingExits,
} from "../../kubelet/restart-policy.ts";
import { kindOfWaiting, type WaitingKind } from "../../kubelet/waiting-reasons.ts";
import type { Cause } from "../answer/explanation.ts";
import { containerEvents, statusOf } from "../observed/lookups.ts";
import type {
  ContainerSpec,
  ContainerStatus,
  EventSnapshot,
  PodObservation,
  TerminatedState,
} from "../observed/observation.ts";
import { type ExitCause, exitCause } from "./exit-cause.ts";
import { nodeStopOf } from "./node-stops.ts";
import { type ForcedReset, forcedResets, isRecordLostDuring, resetBetween } from "./resets.ts";
import { hasRestartedAll, restartSpecOf, startedWithAll } from "./restart-rules.ts";
import { type ObservedRun, pulledForMs, runsIn } from "./runs.ts";

export interface PastRun extends ObservedRun {
  readonly cause: ExitCause;
  /** How long the kubelet pulled the image before this start, rounded down to a second; 0 if unknown. */
  readonly pulledForMs: number;
  /** The probability, 0 to 1, that RestartAllContainers started this run. */
  readonly startedWithAll: number;
  readonly resetBefore: ForcedReset | undefined;
  readonly isRecordLost: boolean;
}

export interface ContainerHistory {
  readonly spec: ContainerSpec;
  readonly status: ContainerStatus | null;
  readonly events: readonly EventSnapshot[];
  readonly runs: readonly PastRun[];
  readonly resets: readonly ForcedReset[];
  /** Can be true although the container's status says "waiting", e.g. while a postStart hook runs. */
  readonly isRunning: boolean;
  readonly waiting: WaitingKind | null;
  readonly messageDelayMs: number | null;
  /** May be a record that the kubelet made up, e.g. for RestartAllContainers. */
  readonly lastExit: TerminatedState | null;
  readonly lastCause: ExitCause | null;
  readonly decision: RestartDecision;
  readonly restartingExits: RestartingExits;
}

export function historyOf(spec: ContainerSpec, observed: PodObservation, policy: CrashLoopPolicy): ContainerHistory {
  const { pod } = observed;
  const status = statusOf(pod, spec.name);
  const events = containerEvents(spec.name, observed);
  const seen = runsIn(spec, observed);
  const stops = seen.map((run, index) => nodeStopOf(run, seen[index + 1], spec, observed, policy));
  const stopped = seen.filter((_, index) => stops[index] !== null);
  const resets = forcedResets(observed, spec.name, spec.image, stopped);
  const runs = seen.map((run, index) => ({
    ...run,
    cause: exitCause(run, seen[index + 1], stops[index] ?? null, spec, observed, policy),
    pulledForMs: pulledForMs(run, seen[index - 1], events),
    startedWithAll: startedWithAll(run, seen[index - 1], spec.name, observed, policy),
    resetBefore: resetBetween(resets, seen[index - 1], run),
    isRecordLost: isRecordLostDuring(run, resets),
  }));
  const state = status?.state ?? null;
  const isRunning = state?.kind === "running" || seen.at(-1)?.finishedAtMs === null;
  const lastExit = lastRecordOf(status, runs);
  const restartSpec = restartSpecOf(spec, pod);
  return {
    spec,
    status,
    events,
    runs,
    resets,
    isRunning,
    waiting: state?.kind === "waiting" ? kindOfWaiting(state.reason) : null,
    messageDelayMs: state?.kind === "waiting" && !isRunning ? delayMsInMessage(state.message) : null,
    lastExit,
    lastCause: lastExit === null ? null : causeOfExit(lastExit, runs),
    // The kubelet decides in a sync after the exit. This sync does not know of a kill by a probe.
    decision: isOfRestartAll(lastExit)
      ? "restart-all"
      : decideRestart(restartSpec, lastExit?.exitCode ?? 1, false, policy.traits),
    restartingExits: restartingExits(restartSpec, policy.traits),
  };
}

function lastRecordOf(status: ContainerStatus | null, runs: readonly PastRun[]): TerminatedState | null {
  if (status?.state?.kind === "terminated") return status.state;
  if (status !== null && hasRestartedAll(status)) return status.lastState;
  return runs.findLast(({ exit }) => exit !== null)?.exit ?? status?.lastState ?? null;
}

const CAUSE_OF_REASON: Readonly<Record<string, Cause>> = {
  RestartingAllContainers: "restart-all",
  OOMKilled: "oom",
  StartError: "start-error",
  ContainerCannotRun: "start-error",
};

function causeOfExit({ finishedAtMs, reason }: TerminatedState, runs: readonly PastRun[]): ExitCause {
  const run = runs.findLast((candidate) => candidate.finishedAtMs === finishedAtMs && candidate.exit !== null);
  return run?.cause ?? { cause: CAUSE_OF_REASON[reason ?? ""] ?? "unknown", basis: "observed", killedBySync: 0 };
}
