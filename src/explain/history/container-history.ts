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
import { type ForcedReset, forcedResets } from "./resets.ts";
import { hasRestartedAll, restartSpecOf, startedWithAll } from "./restart-rules.ts";
import { hiddenRun, type SeenRun, seenRuns } from "./runs.ts";

/** A run with what is known of its start and its end. */
export interface PastRun extends SeenRun {
  readonly cause: ExitCause;
  /** How sure it is, 0 to 1, that it was started together with all other containers. */
  readonly startedWithAll: number;
}

/** What records, events and conditions tell of one container: which runs there were, why they ended and what reset the back-off. */
export interface ContainerHistory {
  readonly spec: ContainerSpec;
  readonly status: ContainerStatus | null;
  readonly runs: readonly PastRun[];
  readonly resets: readonly ForcedReset[];
  /** An instance is up, though a start that still blocks may hide it from the status. */
  readonly isRunning: boolean;
  /** The kind of the waiting reason; null unless it waits. */
  readonly waiting: WaitingKind | null;
  /** The delay in the kubelet's own message, in force for the present wait. */
  readonly messageDelayMs: number | null;
  /** The record of the last exit, a made-up one included. */
  readonly lastExit: TerminatedState | null;
  /** Why that exit came; null without one. */
  readonly lastCause: ExitCause | null;
  /** What the kubelet does after the last exit. */
  readonly decision: RestartDecision;
  /** The exits to come after which the kubelet starts it again. */
  readonly restartingExits: RestartingExits;
}

/** The history of one container. `policy` says what its kubelet knows of restart rules and how many events it sends. */
export function historyOf(spec: ContainerSpec, observed: PodObservation, policy: CrashLoopPolicy): ContainerHistory {
  const { pod } = observed;
  const status = statusOf(pod, spec.name);
  const reported = seenRuns(spec.name, [...observed.earlier, pod]);
  const hidden = hiddenRun(spec, reported, observed);
  const seen = hidden === null ? reported : [...reported, hidden];
  const runs = seen.map((run, index) => ({
    ...run,
    cause: exitCause(run, seen[index + 1], spec, observed, policy),
    startedWithAll: startedWithAll(run, seen[index - 1], spec.name, observed, policy),
  }));
  const state = status?.state ?? null;
  const lastExit = lastRecordOf(status, runs);
  const restartSpec = restartSpecOf(spec, pod);
  const isWithAll = lastExit?.reason === "RestartingAllContainers";
  return {
    spec,
    status,
    runs,
    resets: forcedResets(observed, spec.name, spec.image, seen),
    isRunning: state?.kind === "running" || hidden !== null,
    waiting: state?.kind === "waiting" ? kindOfWaiting(state.reason) : null,
    messageDelayMs: state?.kind === "waiting" && hidden === null ? delayMsInMessage(state.message) : null,
    lastExit,
    lastCause: lastExit === null ? null : causeOfExit(lastExit, runs),
    // The sync that kills a container does not ask for its exit code; but an exit that shows is one that it has not followed up.
    decision: isWithAll ? "restart-all" : decideRestart(restartSpec, lastExit?.exitCode ?? 1, false, policy.traits),
    restartingExits: restartingExits(restartSpec, policy.traits),
  };
}

/** A made-up record counts here, as the API shows it, though a watch may have seen the exit that it stands for. */
function lastRecordOf(status: ContainerStatus | null, runs: readonly PastRun[]): TerminatedState | null {
  if (status?.state?.kind === "terminated") return status.state;
  if (status !== null && hasRestartedAll(status)) return status.lastState;
  return runs.findLast(({ exit }) => exit !== null)?.exit ?? status?.lastState ?? null;
}

/** No run stands for a made-up record. */
function causeOfExit({ finishedAtMs, reason }: TerminatedState, runs: readonly PastRun[]): ExitCause {
  const run = runs.findLast((candidate) => candidate.finishedAtMs === finishedAtMs && candidate.exit !== null);
  const cause = reason === "RestartingAllContainers" ? "restart-all" : "unknown";
  return run?.cause ?? { cause, basis: "observed", killedBySync: 0 };
}
