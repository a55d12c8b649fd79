import { formatGoDuration } from "../../src/kubelet/go-duration.ts";
import type { CrowdPod } from "./crowd.ts";
import type { Look } from "./seeded.ts";

export type Raw = Readonly<Record<string, unknown>>;

export interface PodState {
  readonly phase: string;
  readonly isInitialized: boolean;
  readonly app: ContainerFields | null;
  readonly init: ContainerFields | null;
  readonly sidecar: ContainerFields | null;
}

export interface ContainerFields {
  readonly state: Raw;
  readonly lastState?: Raw;
  readonly ready: boolean;
  readonly started: boolean;
  readonly restartCount: number;
  /** Whether the status has a containerID. */
  readonly hasInstance: boolean;
}

const MOST_DELAY_SECONDS = 300;
const RUN_SECONDS = 4;

export function podStateOf(pod: CrowdPod, nowMs: number): PodState {
  const running = runningSince(nowMs - 3_600_000 * (1 + pod.dice[1] * 100));
  const base: PodState = { phase: "Running", isInitialized: true, app: running, init: null, sidecar: null };
  return { ...base, ...STATES[pod.look]({ pod, nowMs, running }) };
}

interface Moment {
  readonly pod: CrowdPod;
  readonly nowMs: number;
  readonly running: ContainerFields;
}

const STATES: Readonly<Record<Look, (moment: Moment) => Partial<PodState>>> = {
  running: () => ({}),
  "restarted-once": ({ pod, nowMs, running }) => ({
    app: { ...running, restartCount: 1, lastState: exited(1, "Error", nowMs - 3_600_000 * (101 + pod.dice[1])) },
  }),
  "not-ready": ({ running }) => ({ app: { ...running, ready: false } }),
  creating: () => ({ phase: "Pending", app: waiting("ContainerCreating") }),
  unscheduled: () => ({ phase: "Pending", isInitialized: false, app: null }),
  succeeded: ({ nowMs }) => ({
    phase: "Succeeded",
    app: { ...waiting(""), state: exited(0, "Completed", nowMs - 7_200_000), hasInstance: true },
  }),
  "crash-loop": (moment) => ({ app: backingOff(moment, 1, "Error", "told") }),
  error: (moment) => ({ app: backingOff(moment, 1, "Error", "not-told") }),
  "out-of-memory": (moment) => ({ app: backingOff(moment, 137, "OOMKilled", "told") }),
  completes: (moment) => ({ app: backingOff(moment, 0, "Completed", "not-told") }),
  "image-pull": () => ({
    phase: "Pending",
    app: waiting("ImagePullBackOff", 'Back-off pulling image "registry.example/team/app:v7": ErrImagePull: not found'),
  }),
  "config-error": () => ({
    phase: "Pending",
    app: waiting("CreateContainerConfigError", 'configmap "app-settings" not found'),
  }),
  "init-loop": (moment) => ({
    phase: "Pending",
    isInitialized: false,
    init: backingOff(moment, 2, "Error", "told"),
    app: waiting("PodInitializing"),
  }),
  "sidecar-loop": (moment) => ({ sidecar: backingOff(moment, 0, "Completed", "not-told") }),
};

function runningSince(startedAtMs: number): ContainerFields {
  return {
    state: { running: { startedAt: rfc3339(startedAtMs) } },
    ready: true,
    started: true,
    restartCount: 0,
    hasInstance: true,
  };
}

function waiting(reason: string, message?: string): ContainerFields {
  const state = { waiting: message === undefined ? { reason } : { reason, message } };
  return { state, ready: false, started: false, restartCount: 0, hasInstance: false };
}

/** `told`: the container waits with the reason CrashLoopBackOff. `not-told`: its state is still terminated. */
function backingOff(
  { pod, nowMs }: Moment,
  exitCode: number,
  reason: string,
  word: "told" | "not-told",
): ContainerFields {
  const restartCount = 2 + Math.floor(pod.dice[0] * 20);
  const delaySeconds = Math.min(10 * 2 ** (restartCount - 1), MOST_DELAY_SECONDS);
  const terminated = exited(exitCode, reason, nowMs - delaySeconds * 1000 * (0.2 + 0.7 * pod.dice[1]));
  const down = { ready: false, started: false, restartCount, hasInstance: true };
  if (word === "not-told") return { ...down, state: terminated, lastState: terminated };
  const { name, namespace, uid } = pod;
  const message = `back-off ${formatGoDuration(delaySeconds * 1000)} restarting failed container=CONTAINER pod=${name}_${namespace}(${uid})`;
  return { ...down, state: { waiting: { reason: "CrashLoopBackOff", message } }, lastState: terminated };
}

function exited(exitCode: number, reason: string, finishedAtMs: number): Raw {
  const [startedAt, finishedAt] = [rfc3339(finishedAtMs - RUN_SECONDS * 1000), rfc3339(finishedAtMs)];
  return { terminated: { exitCode, reason, startedAt, finishedAt } };
}

export function rfc3339(atMs: number): string {
  return `${new Date(atMs).toISOString().slice(0, 19)}Z`;
}
