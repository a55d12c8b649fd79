import type { BackoffEntry } from "../backoff/backoff.ts";
import { delayInMessage } from "../kubelet/event-messages.ts";
import { parseGoDuration } from "../kubelet/go-duration.ts";
import type { CrashLoopPolicy } from "../kubelet/policy.ts";
import { decideRestart, type RestartDecision } from "../kubelet/restart-policy.ts";
import { kindOfWaiting, type WaitingKind } from "../kubelet/waiting-reasons.ts";
import { agreeingWith, type Belief, isBeforeStart, type ReplayedRun, replay, startOf } from "./beliefs.ts";
import { exitCause } from "./exit-cause.ts";
import { lifetimeBefore } from "./lifetime.ts";
import type { ContainerSpec, ContainerStatus, PodObservation, TerminatedState } from "./observation.ts";
import type { StartsBefore } from "./prior-beliefs.ts";
import { type ForcedReset, forcedResets } from "./resets.ts";
import { restartSpecOf } from "./restart-spec.ts";
import { hiddenRun, seenRuns } from "./runs.ts";

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
  const snapshots = [...observed.earlier, observed.pod];
  const reported = seenRuns(spec.name, snapshots);
  const hidden = hiddenRun(spec, reported, observed);
  const seen = hidden === null ? reported : [...reported, hidden];
  const runs = seen.map((run) => ({ ...run, cause: exitCause(run, spec, observed) }));
  const resets = forcedResets(observed, spec.name, spec.image);
  const state = status?.state ?? null;
  const messageDelayMs = state?.kind === "waiting" ? parseDelay(state.message) : null;
  const lastRun = runs.at(-1);
  const isAlone = hasRestartedAll(status) && !hasBackedOff(spec, observed);
  const before = {
    starts: startsBefore(observed, spec, resets, runs),
    lifetime: lifetimeBefore(runs, observed),
    areKubeletStartsSeen: !observed.missing.some(({ what }) => what === "node-events"),
  };
  const replayed = replay(runs, resets, before, isAlone, policy, isTraced);
  const isNamed = messageDelayMs !== null && lastRun !== undefined && hidden === null;
  const { beliefs, fit } = isNamed ? agreeingWith(messageDelayMs, replayed, lastRun, resets, policy) : replayed;
  const lastExit =
    (state?.kind === "terminated" ? state : runs.findLast(({ exit }) => exit !== null)?.exit) ??
    status?.lastState ??
    null;
  const killed = (lastRun?.cause.killedBySync ?? 0) > 0.5;
  return {
    spec,
    status,
    runs,
    resets,
    beliefs,
    fit,
    waiting: state?.kind === "waiting" ? kindOfWaiting(state.reason) : null,
    lastExit,
    decision: decisionAfter(spec, observed, lastExit, killed, policy),
    messageDelayMs: hidden === null ? messageDelayMs : null,
    isRunning: state?.kind === "running" || hidden !== null,
  };
}

/** A BackOff event of its own: it has exited by itself, so there may be an entry, which RestartAllContainers leaves alone. */
function hasBackedOff(spec: ContainerSpec, observed: PodObservation): boolean {
  return observed.events.some(({ container, reason, type }) => {
    return container === spec.name && reason === "BackOff" && type === "Warning";
  });
}

/** RestartAllContainers removes every instance: the start after it finds none that exited, and makes no entry. */
function hasRestartedAll(status: ContainerStatus | null): boolean {
  return status?.lastState?.reason === "RestartingAllContainers";
}

function parseDelay(message: string | null): number | null {
  const delay = delayInMessage(message);
  const delayMs = delay === null ? null : parseGoDuration(delay);
  return delayMs !== null && delayMs >= 0 ? delayMs : null;
}

function decisionAfter(
  spec: ContainerSpec,
  observed: PodObservation,
  exit: TerminatedState | null,
  killedByProbe: boolean,
  { traits }: CrashLoopPolicy,
): RestartDecision {
  if (exit?.reason === "RestartingAllContainers") return "restart-all";
  return decideRestart(restartSpecOf(spec, observed.pod), exit?.exitCode ?? 1, killedByProbe, traits);
}

/**
 * How often the container started between its latest forced reset and its oldest seen run, as its events count; null if
 * that run is not known to come after a reset.
 */
function startsBefore(
  observed: PodObservation,
  spec: ContainerSpec,
  resets: readonly ForcedReset[],
  runs: readonly ReplayedRun[],
): StartsBefore | null {
  const first = runs[0];
  const latest = first === undefined ? undefined : resets.findLast((reset) => isBeforeStart(reset, null, first));
  if (first === undefined || latest === undefined) return null;
  const series = longestSeries(observed, spec, latest);
  if (series === undefined) return { count: 0, isExact: false };
  const counted = runs.findLastIndex((run) => Math.abs(startOf(run) - (series.lastAtMs ?? 0)) <= 3_000);
  if (counted >= 0) return { count: Math.max(0, series.count - 1 - counted), isExact: true };
  return { count: series.count, isExact: false };
}

/** The events that count starts: of the image's pulls after a change of it, else of starts, or creations if all starts fail. */
function longestSeries(observed: PodObservation, spec: ContainerSpec, since: ForcedReset) {
  const reasons = since.kind === "image-change" ? ["Pulled"] : ["Started", "Created"];
  const own = observed.events.filter(
    (event) => event.container === spec.name && (event.firstAtMs ?? 0) >= since.atMs - 5_000,
  );
  const counted = reasons
    .map((reason) => own.filter((event) => event.reason === reason))
    .find((events) => events.length > 0);
  return counted?.reduce((a, b) => (b.count > a.count ? b : a));
}

/** The entry that most beliefs agree on by delay, with the share of them that does; null if nothing is known. */
export function likeliestEntry(
  beliefs: readonly Belief[],
): { readonly entry: BackoffEntry | undefined; readonly share: number; readonly rules: readonly string[] } | null {
  const shares = new Map<number, number>();
  for (const { entry, weight } of beliefs) {
    const delayMs = entry?.delayMs ?? 0;
    shares.set(delayMs, (shares.get(delayMs) ?? 0) + weight);
  }
  const best = [...shares].sort((a, b) => b[1] - a[1])[0];
  const belief = beliefs.find(({ entry }) => (entry?.delayMs ?? 0) === best?.[0]);
  return best === undefined || belief === undefined
    ? null
    : { entry: belief.entry, share: best[1], rules: belief.rules };
}
