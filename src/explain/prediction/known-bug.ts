import { BUGS, type BugName, fixFor, isAffected, type KubeletBug } from "../../kubelet/bugs.ts";
import { meaningOfEvent } from "../../kubelet/event-messages.ts";
import { HOUR_MS } from "../../kubelet/go-duration.ts";
import { parseKubeletVersion } from "../../kubelet/versions.ts";
import { kubeletRestarts } from "../history/resets.ts";
import { containerEvents, newestAtMs, statusOf } from "../observed/lookups.ts";
import type { ContainerSpec, PodObservation, Probe } from "../observed/observation.ts";
import type { ContainerCase, PodContext } from "./pod-context.ts";
import { isOver } from "./state.ts";

export interface DetectedBug {
  readonly bug: KubeletBug;
  readonly version: string;
  readonly fix: string;
}

interface BugCase extends ContainerCase {
  readonly isOverdue: boolean;
  readonly context: PodContext;
}

export function knownBug(container: ContainerCase, isOverdue: boolean, context: PodContext): DetectedBug | null {
  const { kubeletVersion, observed } = context;
  const version = parseKubeletVersion(kubeletVersion ?? "");
  if (kubeletVersion === null || version === null || isOver(observed.pod)) return null;
  const own: BugCase = { ...container, isOverdue, context };
  const isIt = (name: BugName): boolean => isAffected(BUGS[name], version) && SIGNS[name](own);
  const name = NAMES.find(isIt);
  return name === undefined ? null : { bug: BUGS[name], version: kubeletVersion, fix: fixFor(BUGS[name], version) };
}

const SIGNS: Readonly<Record<BugName, (own: BugCase) => boolean>> = {
  sidecarProbeForgotten: ({ facts, isOverdue, context }) =>
    isOverdue && facts.spec.type === "app" && isProbeForgotten(context),
  sidecarProbeAbandoned: ({ facts, state, context }) =>
    context.observed.pod.containers.some(
      (sidecar) =>
        (sidecar.name === facts.spec.name || (state === "blocked" && isAfter(facts.spec, sidecar, context))) &&
        isProbeAbandoned(sidecar, context),
    ),
  binaryEnvRefused: ({ facts: { status } }) =>
    status?.state?.kind === "waiting" &&
    status.state.reason === "CreateContainerError" &&
    /\bmarshaling: string field contains invalid UTF-8/.test(status.state.message ?? ""),
  // Assumed: a container that has never run has another problem with its subPath.
  subPathMountStale: ({ facts: { status, lastExit } }) =>
    status?.state?.kind === "waiting" &&
    status.state.reason === "CreateContainerConfigError" &&
    /^failed to prepare subPath for volumeMount/.test(status.state.message ?? "") &&
    lastExit !== null,
  syncsLeakMemory: ({ facts: { resets }, context: { observed } }) =>
    resets.some(({ kind }) => kind === "kubelet-restart") &&
    observed.nodeEvents.some(
      ({ reason, message }) => reason === "SystemOOM" && /victim process: kubelet\b/.test(message),
    ),
};

const NAMES = Object.keys(SIGNS) as BugName[];

/** The API server keeps events for an hour by default (--event-ttl). */
const EVENTS_KEPT_MS = HOUR_MS;

/**
 * Assumes that the kubelet has restarted since the sidecar's start if the program lacks the events that could show a
 * restart of the kubelet.
 */
function isProbeForgotten({ observed, containers, atMs }: PodContext): boolean {
  const last = observed.pod.containers.findLast(({ type }) => type === "init" || type === "sidecar");
  if (last?.type !== "sidecar" || last.startupProbe === null) return false;
  const { started = null, state = null } = statusOf(observed.pod, last.name) ?? {};
  const isAppRunning = containers.some(({ facts }) => facts.spec.type === "app" && facts.isRunning);
  if (isAppRunning || started === false || state?.kind !== "running" || state.startedAtMs === null) return false;
  const { startedAtMs } = state;
  const isOlderThanEvents = atMs - startedAtMs > EVENTS_KEPT_MS;
  const areEventsRead = !observed.missing.some(({ what }) => what === "node-events");
  return isOlderThanEvents || !areEventsRead || kubeletRestarts(observed.nodeEvents).some((at) => at > startedAtMs);
}

/** Assumed maximum time that the probe, the kill and the status need beyond the probe's settings. */
const BEYOND_PROBE_MS = 30_000;

function isProbeAbandoned(sidecar: ContainerSpec, { observed, atMs }: PodContext): boolean {
  const { pod } = observed;
  const { type, startupProbe, name } = sidecar;
  if (pod.restartPolicy !== "Never" || type !== "sidecar" || startupProbe === null) return false;
  const status = statusOf(pod, name);
  if (status?.state?.kind !== "running" || status.started === true || status.restartCount === 0) return false;
  const startedAtMs = status.state.startedAtMs ?? atMs;
  const failures = containerEvents(name, observed).filter(
    ({ reason, message }) => meaningOfEvent(reason, message) === "startup-failure",
  );
  const isProbed = newestAtMs(failures) > startedAtMs;
  const isLong = atMs - startedAtMs > longestProbeMs(startupProbe, pod.gracePeriodMs) + BEYOND_PROBE_MS;
  return isLong && !isProbed && hasProbeBefore(sidecar, observed);
}

function longestProbeMs(probe: Probe, podGraceMs: number): number {
  const { initialDelayMs, periodMs, failureThreshold, timeoutMs, gracePeriodMs } = probe;
  return initialDelayMs + failureThreshold * Math.max(periodMs, timeoutMs) + (gracePeriodMs ?? podGraceMs);
}

/** See `AddPod` (pkg/kubelet/prober/prober_manager.go, v1.32.13), which begins with the app containers. */
function hasProbeBefore(sidecar: ContainerSpec, { pod }: PodObservation): boolean {
  const sidecars = pod.containers.filter(({ type }) => type === "sidecar");
  const before = sidecars.slice(0, sidecars.indexOf(sidecar));
  const apps = pod.containers.filter(({ type }) => type === "app");
  return [...apps, ...before].some(
    ({ startupProbe, readinessProbe, livenessProbe }) => (startupProbe ?? readinessProbe ?? livenessProbe) !== null,
  );
}

function isAfter(spec: ContainerSpec, sidecar: ContainerSpec, { observed: { pod } }: PodContext): boolean {
  return pod.containers.indexOf(spec) > pod.containers.indexOf(sidecar);
}
