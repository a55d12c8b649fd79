import { delayMsInMessage } from "../../kubelet/event-messages.ts";
import {
  type CrashLoopPolicy,
  crashLoopPolicy,
  LAST_WITH_FLAT_RETRY,
  NEWEST_KNOWN_VERSION,
  SYNC_FREQUENCY_MS,
} from "../../kubelet/policy.ts";
import { FLAT_RETRY, nextSyncAfterMs, type RetryRule } from "../../kubelet/retry-rule.ts";
import { type KubeletVersion, parseKubeletVersion } from "../../kubelet/version.ts";
import type { PolicyExplanation } from "../answer/explanation.ts";
import type { ContainerSpec, ContainerStatus, Now, PodObservation } from "../observed/observation.ts";

/** What the user says of the kubelet: it overrides what was seen. */
export interface PolicyOverrides {
  readonly kubeletVersion?: string;
  readonly maxRestartPeriodMs?: number;
  readonly reducedDecay?: boolean;
}

/** The policy to go by, and how it is known. */
interface KnownPolicy extends Pick<PolicyExplanation, "kubeletVersion" | "basis"> {
  readonly policy: CrashLoopPolicy;
  /** What the syncs the pod say of a kubelet whose version is not told; null if it is told, or if they say nothing. */
  readonly bySyncs: VersionBySyncs | null;
  /** Nothing tells how the kubelet comes back to a pod: it may be older than the version that is assumed. */
  readonly isVersionOpen: boolean;
}

/**
 * The curve in force on the pod's node, and how that is known. `now` is by the node's clock; `ifOpen` is the version where
 * nothing tells it.
 */
export function policyOf(
  observed: PodObservation,
  overrides: PolicyOverrides,
  now: Now,
  ifOpen: KubeletVersion = NEWEST_KNOWN_VERSION,
): KnownPolicy {
  const config = observed.kubeletConfig;
  const kubeletVersion = overrides.kubeletVersion ?? observed.node?.kubeletVersion ?? null;
  const featureGates = { ...config?.featureGates };
  if (overrides.reducedDecay !== undefined) featureGates["ReduceDefaultCrashLoopBackOffDecay"] = overrides.reducedDecay;
  const { maxRestartPeriodMs } = overrides;
  if (maxRestartPeriodMs !== undefined) featureGates["KubeletCrashLoopBackOffMax"] = true;
  const bySyncs = kubeletVersion === null ? versionBySyncs(observed, now) : null;
  const version = kubeletVersion === null ? (bySyncs?.version ?? null) : parseKubeletVersion(kubeletVersion);
  const isVersionOpen = kubeletVersion === null && bySyncs === null;
  const policy = crashLoopPolicy({
    version: isVersionOpen ? ifOpen : version,
    featureGates,
    maxContainerRestartPeriodMs: maxRestartPeriodMs ?? config?.maxContainerRestartPeriodMs ?? null,
    syncFrequencyMs: config?.syncFrequencyMs ?? null,
  });
  const basis = basisOf(observed, overrides, kubeletVersion);
  return { policy, kubeletVersion, basis, bySyncs, isVersionOpen };
}

function basisOf(
  observed: PodObservation,
  overrides: PolicyOverrides,
  kubeletVersion: string | null,
): PolicyExplanation["basis"] {
  if (Object.values(overrides).some((value) => value !== undefined)) return "flag";
  if (observed.kubeletConfig !== null) return "configz";
  return kubeletVersion === null ? "assumed" : "version";
}

/** How a newer kubelet puts its syncs off, with the resync interval that nearly all have. */
const AT_EXPIRY: RetryRule = { kind: "at-expiry", resyncMs: SYNC_FREQUENCY_MS };
/** Fewer BackOff events than these are too few to tell how often it syncs, and means above this tell of no flat retry. */
const ENOUGH_SYNCS = 6;
const LONGEST_MEAN_MS = 20_000;
/** Exit noticed, status written, and times truncated to the second. */
const SLACK_MS = 4_000;

/** A kubelet's version as its syncs give it away: the last one that syncs every 10 to 15 s, or the newest. */
export interface VersionBySyncs {
  readonly version: KubeletVersion;
  /** Its BackOff events are frequent; CrashLoopBackOff shows too early for a newer one; or it should show by now. */
  readonly sign: "frequent-events" | "early-word" | "late-word";
}

/**
 * The kind of kubelet that the syncs the pod speak for, where its version cannot be seen; null if they speak for none.
 * `now` is by the node's clock.
 */
function versionBySyncs(observed: PodObservation, now: Now): VersionBySyncs | null {
  const down = observed.pod.statuses.filter(({ restartCount, state }) => restartCount > 0 || state?.kind !== "running");
  const [only] = down;
  // Siblings that start and exit make the kubelet sync as well.
  if (only === undefined || down.length > 1) return null;
  if (hasFrequentEvents(observed)) return { version: LAST_WITH_FLAT_RETRY, sign: "frequent-events" };
  const spec = observed.pod.containers.find(({ name }) => name === only.name);
  return spec === undefined || isSyncedOtherwise(spec) ? null : byWord(only, now);
}

/** Later kubelets sync ever more rarely as the delay grows: so many BackOff events, so close together, come from an old one. */
function hasFrequentEvents({ events }: PodObservation): boolean {
  return events.some(({ reason, type, count, firstAtMs, lastAtMs }) => {
    if (reason !== "BackOff" || type !== "Warning" || count < ENOUGH_SYNCS || firstAtMs === null || lastAtMs === null)
      return false;
    return (lastAtMs - firstAtMs) / (count - 1) < LONGEST_MEAN_MS;
  });
}

/** Two syncs follow a kill or a failed hook within a second, so the word is there at once, whatever the version. */
function isSyncedOtherwise({ livenessProbe, startupProbe, hasPostStart }: ContainerSpec): boolean {
  return livenessProbe !== null || startupProbe !== null || hasPostStart;
}

/** CrashLoopBackOff shows from the second sync after the exit on: too early for a newer kubelet, or too late for an old one. */
function byWord({ state, lastState }: ContainerStatus, { atMs, atBasis }: Now): VersionBySyncs | null {
  // The newest instant of a file may lie long before or after the moment at which this status was read.
  if (atBasis === "newest-input") return null;
  if (state?.kind === "terminated" && state.finishedAtMs !== null) {
    const [, latestMs] = nextSyncAfterMs(FLAT_RETRY, 0);
    const isLate = atMs - state.finishedAtMs > latestMs + SLACK_MS;
    return isLate ? { version: NEWEST_KNOWN_VERSION, sign: "late-word" } : null;
  }
  const delayMs = state?.kind === "waiting" ? delayMsInMessage(state.message) : null;
  const finishedAtMs = lastState?.finishedAtMs ?? null;
  if (delayMs === null || finishedAtMs === null) return null;
  const [earliestMs] = nextSyncAfterMs(AT_EXPIRY, delayMs);
  const isEarly = atMs - finishedAtMs < earliestMs - SLACK_MS;
  return isEarly ? { version: LAST_WITH_FLAT_RETRY, sign: "early-word" } : null;
}
