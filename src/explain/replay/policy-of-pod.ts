import { type CrashLoopPolicy, crashLoopPolicy, SYNC_FREQUENCY_MS } from "../../kubelet/crash-loop-policy.ts";
import { delayMsInMessage } from "../../kubelet/event-messages.ts";
import { FLAT_RETRY, nextSyncAfterMs, type RetryRule } from "../../kubelet/retry-rule.ts";
import { declaredGates } from "../../kubelet/traits.ts";
import {
  GATES,
  type KubeletVersion,
  LAST_WITH_FLAT_RETRY,
  NEWEST_KNOWN_VERSION,
  parseKubeletVersion,
  RELEASED_AT_MS,
} from "../../kubelet/versions.ts";
import type { PolicyExplanation } from "../answer/explanation.ts";
import { isBackOffEvent } from "../history/events.ts";
import type { ContainerSpec, ContainerStatus, KubeletConfig, Now, PodObservation } from "../observed/observation.ts";

export interface PolicyOverrides {
  readonly kubeletVersion?: string;
  readonly maxRestartPeriodMs?: number;
  readonly reducedDecay?: boolean;
}

interface KnownPolicy extends Pick<PolicyExplanation, "kubeletVersion" | "basis" | "isKubeadm"> {
  readonly policy: CrashLoopPolicy;
  readonly inferredVersion: InferredVersion | null;
}

export function policyOf(
  observed: PodObservation,
  overrides: PolicyOverrides,
  nodeNow: Now,
  assumedVersion: KubeletVersion = NEWEST_KNOWN_VERSION,
): KnownPolicy {
  const config = observed.kubeletConfig;
  const kubeletVersion = overrides.kubeletVersion ?? observed.node?.kubeletVersion ?? null;
  const version = kubeletVersion === null ? null : parseKubeletVersion(kubeletVersion);
  const declared = version === null ? {} : declaredGates(observed.node?.declaredFeatures ?? [], version);
  const isOwn = config !== null && config.source === undefined;
  const featureGates = isOwn ? { ...declared, ...config.featureGates } : { ...config?.featureGates, ...declared };
  if (overrides.reducedDecay !== undefined) featureGates["ReduceDefaultCrashLoopBackOffDecay"] = overrides.reducedDecay;
  const { maxRestartPeriodMs } = overrides;
  if (maxRestartPeriodMs !== undefined) featureGates["KubeletCrashLoopBackOffMax"] = true;
  const inferredVersion = kubeletVersion === null ? inferVersion(observed, nodeNow) : null;
  const policy = crashLoopPolicy({
    version: kubeletVersion === null ? (inferredVersion?.version ?? assumedVersion) : version,
    featureGates,
    maxContainerRestartPeriodMs: maxRestartPeriodMs ?? config?.maxContainerRestartPeriodMs ?? null,
    syncFrequencyMs: config?.syncFrequencyMs ?? null,
  });
  const isByFlag = Object.values(overrides).some((value) => value !== undefined);
  const known = isOwn ? "configz" : kubeletVersion === null || setsRestarts(config) ? "assumed" : "version";
  const isKubeadm = !isByFlag && !isOwn && setsRestarts(config);
  return { policy, kubeletVersion, basis: isByFlag ? "flag" : known, ...(isKubeadm && { isKubeadm }), inferredVersion };
}

function setsRestarts(config: KubeletConfig | null): boolean {
  if (config === null) return false;
  const { featureGates, maxContainerRestartPeriodMs, syncFrequencyMs } = config;
  const isMaxSet = maxContainerRestartPeriodMs !== null || syncFrequencyMs !== null;
  return isMaxSet || Object.keys(GATES).some((gate) => featureGates[gate] !== undefined);
}

const AT_EXPIRY: RetryRule = { kind: "at-expiry", resyncMs: SYNC_FREQUENCY_MS };
/** Assumed: a BackOff event with a lower count does not show how often the kubelet syncs the pod. */
const ENOUGH_SYNCS = 6;
/** Assumed: a shorter mean time between BackOff events is a sign of syncs every 10 to 15 s, as on v1.34 and older. */
const LEAST_MEAN_MS = 20_000;
/** Assumed tolerance for the time since an exit: the kubelet notices exits late, and the API truncates instants. */
const SYNC_SLACK_MS = 4_000;

/**
 * The kubelet's version, inferred from the date or from its syncs: v1.34 or the newest version that the model knows.
 */
export interface InferredVersion {
  readonly version: KubeletVersion;
  /**
   * "date": v1.35 was not released yet. "frequent-events": BackOff events come more often than expected on v1.35 and
   * newer. "early-word": the status shows CrashLoopBackOff earlier than expected on v1.35 and newer. "late-word": the
   * status still lacks CrashLoopBackOff when v1.34 and older are expected to show it.
   */
  readonly sign: "date" | "frequent-events" | "early-word" | "late-word";
}

function inferVersion(observed: PodObservation, now: Now): InferredVersion | null {
  if (now.atMs < RELEASED_AT_MS.retryAtExpiry) return { version: LAST_WITH_FLAT_RETRY, sign: "date" };
  const down = observed.pod.statuses.filter(({ restartCount, state }) => restartCount > 0 || state?.kind !== "running");
  const [only] = down;
  // The kubelet also syncs the pod when other containers start and exit.
  if (only === undefined || down.length > 1) return null;
  if (hasFrequentEvents(observed, only)) return { version: LAST_WITH_FLAT_RETRY, sign: "frequent-events" };
  const spec = observed.pod.containers.find(({ name }) => name === only.name);
  return spec === undefined || isSyncedOtherwise(spec) ? null : byWord(only, now);
}

/**
 * Assumed: v1.35 and newer sync a pod in back-off once for each wait. Further syncs are, on average, at least this time
 * apart.
 */
const TIME_PER_EXTRA_SYNC_MS = 120_000;

/** Short waits can make BackOff events frequent on every version, so there must also be more events than waits. */
function hasFrequentEvents({ events }: PodObservation, { restartCount, state }: ContainerStatus): boolean {
  // There is no wait before the first restart.
  const waits = state?.kind === "running" ? restartCount - 1 : restartCount;
  return events.filter(isBackOffEvent).some(({ count, firstAtMs, lastAtMs }) => {
    if (count < ENOUGH_SYNCS || firstAtMs === null || lastAtMs === null) return false;
    const spanMs = lastAtMs - firstAtMs;
    return spanMs / (count - 1) < LEAST_MEAN_MS && count > waits + Math.floor(spanMs / TIME_PER_EXTRA_SYNC_MS);
  });
}

/** Assumed: after a kill by a probe or hook, kubelets of every version sync the pod twice within about a second. */
function isSyncedOtherwise({ livenessProbe, startupProbe, hasPostStart }: ContainerSpec): boolean {
  return livenessProbe !== null || startupProbe !== null || hasPostStart;
}

/** Assumed: the kubelet writes CrashLoopBackOff into the status at its second sync after the exit. */
function byWord({ state, lastState }: ContainerStatus, { atMs, atBasis }: Now): InferredVersion | null {
  // With "newest-input", `atMs` is the newest instant in the files. The status may be of another time.
  if (atBasis === "newest-input") return null;
  if (state?.kind === "terminated" && state.finishedAtMs !== null) {
    const [, latestMs] = nextSyncAfterMs(FLAT_RETRY, 0);
    const isLate = atMs - state.finishedAtMs > latestMs + SYNC_SLACK_MS;
    return isLate ? { version: NEWEST_KNOWN_VERSION, sign: "late-word" } : null;
  }
  const delayMs = state?.kind === "waiting" ? delayMsInMessage(state.message) : null;
  const finishedAtMs = lastState?.finishedAtMs ?? null;
  if (delayMs === null || finishedAtMs === null) return null;
  const [earliestMs] = nextSyncAfterMs(AT_EXPIRY, delayMs);
  const isEarly = atMs - finishedAtMs < earliestMs - SYNC_SLACK_MS;
  return isEarly ? { version: LAST_WITH_FLAT_RETRY, sign: "early-word" } : null;
}
