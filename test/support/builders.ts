import type {
  ContainerSpec,
  ContainerState,
  ContainerStatus,
  EventSnapshot,
  NodeSnapshot,
  Observation,
  PodObservation,
  PodSnapshot,
  Probe,
  TerminatedState,
} from "../../src/explain/observed/observation.ts";
import type { RestartRule } from "../../src/kubelet/restart-policy.ts";

/** The creation time of aPod(). */
export const T0_MS = Date.UTC(2026, 10, 21, 12, 0, 0);

/** A second, as in T0_MS + 60 * S. */
export const S = 1_000;

export function aPod(overrides: Partial<PodSnapshot> = {}): PodSnapshot {
  return {
    namespace: "default",
    name: "web",
    uid: "7c8b7f0e-0000-4000-8000-000000000001",
    generation: 1,
    createdAtMs: T0_MS,
    deletionAtMs: null,
    finalizers: [],
    deletionRequestedAtMs: null,
    owner: null,
    nodeName: "node-a",
    restartPolicy: "Always",
    gracePeriodMs: 30_000,
    hostNetwork: false,
    memoryLimit: null,
    podIP: "10.0.0.1",
    phase: "Running",
    reason: null,
    message: null,
    startedAtMs: T0_MS,
    conditions: [],
    containers: [aContainer()],
    statuses: [aStatus()],
    ...overrides,
  };
}

export function aContainer(overrides: Partial<ContainerSpec> = {}): ContainerSpec {
  return {
    name: "app",
    type: "app",
    image: "registry.example/web:1",
    imagePullPolicy: "IfNotPresent",
    restartPolicy: null,
    restartPolicyRules: [],
    livenessProbe: null,
    startupProbe: null,
    readinessProbe: null,
    hasPostStart: false,
    memoryLimit: null,
    ...overrides,
  };
}

export const RESTART_ALL_ON_42: RestartRule = { action: "RestartAllContainers", operator: "In", exitCodes: [42] };

export function aProbe(overrides: Partial<Probe> = {}): Probe {
  return {
    initialDelayMs: 0,
    periodMs: 10 * S,
    timeoutMs: S,
    failureThreshold: 3,
    gracePeriodMs: null,
    ...overrides,
  };
}

export function aStatus(overrides: Partial<ContainerStatus> = {}): ContainerStatus {
  const state = overrides.state === undefined ? running(T0_MS) : overrides.state;
  return {
    name: "app",
    restartCount: 0,
    containerID: "containerd://0",
    image: "registry.example/web:1",
    imageID: "sha256:0",
    started: state?.kind === "running",
    ready: state?.kind === "running",
    lastState: null,
    ...overrides,
    state,
  };
}

export function running(startedAtMs: number | null): Extract<ContainerState, { kind: "running" }> {
  return { kind: "running", startedAtMs };
}

export function waiting(reason: string | null, message: string | null = null): ContainerState {
  return { kind: "waiting", reason, message };
}

export function terminated(
  startedAtMs: number | null,
  finishedAtMs: number | null,
  overrides: Partial<TerminatedState> = {},
): TerminatedState {
  return {
    kind: "terminated",
    exitCode: 1,
    signal: null,
    reason: "Error",
    message: null,
    startedAtMs,
    finishedAtMs,
    containerID: "containerd://0",
    ...overrides,
  };
}

/** The record that the kubelet makes up for a run whose container the runtime no longer has. */
export function madeUpRecord(reason: "ContainerStatusUnknown" | "RestartingAllContainers"): TerminatedState {
  return terminated(null, null, { reason, exitCode: 137, containerID: null });
}

export function anEvent(overrides: Partial<EventSnapshot> = {}): EventSnapshot {
  const firstAtMs = overrides.firstAtMs === undefined ? T0_MS : overrides.firstAtMs;
  return {
    name: "web.1",
    type: "Warning",
    reason: "BackOff",
    message: "Back-off restarting failed container app in pod web_default",
    container: "app",
    createdAtMs: firstAtMs,
    count: 1,
    lastAtMs: firstAtMs,
    ...overrides,
    firstAtMs,
  };
}

export function aNode(overrides: Partial<NodeSnapshot> = {}): NodeSnapshot {
  const ready = {
    type: "Ready",
    status: "True",
    reason: "KubeletReady",
    message: null,
    lastTransitionAtMs: T0_MS,
  } as const;
  return { name: "node-a", uid: "node-uid", kubeletVersion: "v1.37.1", conditions: [ready], ...overrides };
}

export function observationOf(
  pod: PodSnapshot,
  { atMs = T0_MS, ...overrides }: Partial<PodObservation> & { readonly atMs?: number } = {},
): Observation {
  const observed: PodObservation = {
    pod,
    earlier: [],
    events: [],
    node: aNode(),
    nodeEvents: [],
    kubeletConfig: { maxContainerRestartPeriodMs: 300_000, featureGates: {}, syncFrequencyMs: 60_000 },
    missing: [],
    ...overrides,
  };
  return { atMs, atBasis: "flag", pods: [observed] };
}
