import { delayMsInMessage } from "../../kubelet/event-messages.ts";
import type { CrashLoopPolicy } from "../../kubelet/policy.ts";
import {
  decideRestart,
  type RestartDecision,
  type RestartingExits,
  restartingExits,
} from "../../kubelet/restart-policy.ts";
import { kindOfWaiting, type WaitingKind } from "../../kubelet/waiting-reasons.ts";
import { exitCause } from "../history/exit-cause.ts";
import { lifetimeBefore, lifetimeSinceCounted } from "../history/lifetime.ts";
import { type ForcedReset, forcedResets, startsBefore } from "../history/resets.ts";
import { hasRestartedAll, restartAllsOf, restartSpecOf, startedWithAll } from "../history/restart-rules.ts";
import { hiddenRun, seenRuns } from "../history/runs.ts";
import type {
  ContainerSpec,
  ContainerStatus,
  PodObservation,
  PodSnapshot,
  TerminatedState,
} from "../observed/observation.ts";
import type { Belief, ReplayedRun } from "./beliefs.ts";
import { agreeingWith, type Replayed, replay } from "./replay.ts";

/** Everything about one container that the later steps ask for: seen records, and what the replay makes of them. */
export interface ContainerFacts {
  readonly spec: ContainerSpec;
  readonly status: ContainerStatus | null;
  readonly runs: readonly ReplayedRun[];
  readonly resets: readonly ForcedReset[];
  readonly beliefs: readonly Belief[];
  /** How well the policy explains what was seen: a likelihood, to be compared with another policy's. */
  readonly fit: number;
  /** An instance is up, though a start that still blocks may hide it from the status. */
  readonly isRunning: boolean;
  /** The kind of the waiting reason; null unless it waits. */
  readonly waiting: WaitingKind | null;
  /** The record of the last exit, a made-up one included. */
  readonly lastExit: TerminatedState | null;
  /** What the kubelet does after the last exit. */
  readonly decision: RestartDecision;
  /** What it does after the exits to come. */
  readonly restartingExits: RestartingExits;
  /** The delay in the kubelet's own message, in force for the present wait. */
  readonly messageDelayMs: number | null;
}

/** Gathers the facts of one container; traced, the beliefs say where they came from. */
export function factsOf(
  spec: ContainerSpec,
  observed: PodObservation,
  policy: CrashLoopPolicy,
  isTraced = false,
): ContainerFacts {
  const status = observed.pod.statuses.find((candidate) => candidate.name === spec.name) ?? null;
  const reported = seenRuns(spec.name, [...observed.earlier, observed.pod]);
  const hidden = hiddenRun(spec, reported, observed);
  const seen = hidden === null ? reported : [...reported, hidden];
  const runs = seen.map((run, index) => ({
    ...run,
    cause: exitCause(run, seen[index + 1], spec, observed, policy),
    startedWithAll: startedWithAll(run, seen[index - 1], spec.name, observed, policy),
  }));
  const resets = forcedResets(observed, spec.name, spec.image, seen);
  const state = status?.state ?? null;
  const messageDelayMs = state?.kind === "waiting" && hidden === null ? delayMsInMessage(state.message) : null;
  const lastExit = lastExitOf(status, runs);
  const known = { spec, status, runs, resets, messageDelayMs };
  return {
    ...known,
    ...replayed(known, observed, policy, isTraced),
    waiting: state?.kind === "waiting" ? kindOfWaiting(state.reason) : null,
    lastExit,
    decision: decisionAfter(spec, observed, lastExit, policy),
    restartingExits: restartingExits(restartSpecOf(spec, observed.pod), policy.traits),
    isRunning: state?.kind === "running" || hidden !== null,
  };
}

type ReplayInput = Pick<ContainerFacts, "spec" | "status" | "runs" | "resets" | "messageDelayMs">;

function replayed(
  { spec, status, runs, resets, messageDelayMs }: ReplayInput,
  observed: PodObservation,
  policy: CrashLoopPolicy,
  isTraced: boolean,
): Replayed {
  const restartAlls = restartAllsOf(observed, policy);
  const lifetime = restartAlls.count > 0 ? null : lifetimeBefore(runs, observed);
  const before = {
    starts: startsBefore(observed, spec, resets, runs),
    lifetime,
    sinceCounted:
      lifetime === null || runs[0] === undefined
        ? null
        : lifetimeSinceCounted(lifetime, spec.name, runs[0], observed.events),
    restartAlls,
    bornAtMs: observed.pod.startedAtMs ?? observed.pod.createdAtMs,
    wasInBackOff: wasInBackOff(spec, runs[0], observed),
    specChanges: specChangesOf(observed.pod, resets),
    areKubeletStartsSeen: !observed.missing.some(({ what }) => what === "node-events"),
  };
  const isAlone = hasRestartedAll(status) && !hasBackedOff(spec, observed);
  const all = replay(runs, resets, before, isAlone, policy, isTraced);
  const lastRun = runs.at(-1);
  return messageDelayMs === null || lastRun === undefined
    ? all
    : agreeingWith(messageDelayMs, all, lastRun, resets, policy);
}

/** The changes of the spec less those that the events show; 1 is the generation of a pod as it was created. */
function specChangesOf({ generation }: PodSnapshot, resets: readonly ForcedReset[]): number {
  return Math.max(0, (generation ?? 1) - 1 - resets.filter(({ kind }) => kind === "image-change").length);
}

/** A made-up record counts here, as the API shows it, though a watch may have seen the exit that it stands for. */
function lastExitOf(status: ContainerStatus | null, runs: readonly ReplayedRun[]): TerminatedState | null {
  if (status?.state?.kind === "terminated") return status.state;
  if (status !== null && hasRestartedAll(status)) return status.lastState;
  return runs.findLast(({ exit }) => exit !== null)?.exit ?? status?.lastState ?? null;
}

/** Once its burst of events is used up, the kubelet sends one BackOff event in this time. */
const EVENT_PERIOD_MS = 330_000;

function wasInBackOff(spec: ContainerSpec, first: ReplayedRun | undefined, { events }: PodObservation): boolean {
  const fromMs = (first?.startedAtMs ?? 0) - EVENT_PERIOD_MS;
  return events.some(({ container, reason, type, lastAtMs }) => {
    return container === spec.name && reason === "BackOff" && type === "Warning" && (lastAtMs ?? 0) >= fromMs;
  });
}

/** A BackOff event of its own: it has exited by itself, so there may be an entry, which RestartAllContainers leaves alone. */
function hasBackedOff(spec: ContainerSpec, observed: PodObservation): boolean {
  return observed.events.some(({ container, reason, type }) => {
    return container === spec.name && reason === "BackOff" && type === "Warning";
  });
}

/** The sync that kills a container does not ask for its exit code; but an exit that shows is one that it has not followed up. */
function decisionAfter(
  spec: ContainerSpec,
  observed: PodObservation,
  exit: TerminatedState | null,
  { traits }: CrashLoopPolicy,
): RestartDecision {
  if (exit?.reason === "RestartingAllContainers") return "restart-all";
  return decideRestart(restartSpecOf(spec, observed.pod), exit?.exitCode ?? 1, false, traits);
}
