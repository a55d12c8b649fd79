import type { ContainerStatus, PodSnapshot, Selection } from "../../explain/observed/observation.ts";
import { uidOf } from "../objects/owner-reference.ts";
import { toPodSnapshot } from "../objects/pod.ts";
import type { RawObject } from "../owners/workload-source.ts";

/** The most pods that the program explains, to spare the reader and the API server. */
export const MOST_EXPLAINED = 50;

export interface PodOrder {
  /** The index of the target that the pod belongs to. */
  readonly target: number;
  /** 0 for pods of a Deployment's newest ReplicaSet, higher for older ones. Always 0 for other pods. */
  readonly rank: number;
  readonly isNamed: boolean;
}

export interface ChosenPod extends PodOrder {
  readonly raw: RawObject;
  readonly isFine: boolean;
}

interface Candidate extends ChosenPod {
  readonly key: string;
  readonly severity: Severity;
  readonly restarts: number;
}

/**
 * Chooses up to `most` pods. Sorts pods by target, then revision (newest first), then urgency, but puts healthy pods
 * that the user has not named last. Keeps at most `2 * most` pods in memory.
 */
export class PodChoice {
  readonly #most: number;
  readonly #keys = new Set<string>();
  #candidates: Candidate[] = [];
  #leftOutFine = 0;
  #leftOutInTrouble = 0;

  constructor(most = MOST_EXPLAINED) {
    this.#most = most;
  }

  /** Adds a pod, unless it has been added before. `atMs` is now. */
  add(raw: RawObject, order: PodOrder, atMs: number): void {
    const pod = toPodSnapshot(raw);
    const key = `${keyOf(pod)} ${uidOf(raw)}`;
    if (this.#keys.has(key)) return;
    this.#keys.add(key);
    const severity = severityOf(pod, atMs);
    const isFine = severity === FINE;
    this.#candidates.push({ ...order, raw, isFine, key: keyOf(pod), severity, restarts: restartsOf(pod) });
    if (this.#candidates.length >= 2 * this.#most) this.#prune();
  }

  chosen(): readonly ChosenPod[] {
    this.#prune();
    return this.#candidates;
  }

  selection(): Selection {
    this.#prune();
    return {
      matched: this.#keys.size,
      leftOutFine: this.#leftOutFine,
      leftOutInTrouble: this.#leftOutInTrouble,
      named: this.#candidates.filter(({ isNamed }) => isNamed).map(({ key }) => key),
    };
  }

  #prune(): void {
    const sorted = this.#candidates.toSorted(byUrgency);
    this.#candidates = sorted.slice(0, this.#most);
    for (const { isFine } of sorted.slice(this.#most)) {
      if (isFine) this.#leftOutFine++;
      else this.#leftOutInTrouble++;
    }
  }
}

function keyOf({ namespace, name }: PodSnapshot): string {
  return `${namespace}/${name}`;
}

function byUrgency(a: Candidate, b: Candidate): number {
  return (
    Number(isAside(a)) - Number(isAside(b)) ||
    a.target - b.target ||
    a.rank - b.rank ||
    a.severity - b.severity ||
    b.restarts - a.restarts ||
    a.key.localeCompare(b.key, "en")
  );
}

function isAside({ isFine, isNamed }: Candidate): boolean {
  return isFine && !isNamed;
}

/** 0: has crashed; 1: cannot start, or has exited once; 2: phase Failed; 3: not up yet, or terminating; 4: healthy. */
type Severity = 0 | 1 | 2 | 3 | 4;

export const FINE = 4;

/** The length of a run after which a container counts as recovered, because the kubelet resets the back-off. */
const PROVEN_MS = 600_000;

/** The reasons with which every container waits before its first start. */
const ORDINARY_WAITS: readonly (string | null)[] = [null, "ContainerCreating", "PodInitializing"];

/** Judges from the pod's own status how urgent the pod is. The lowest number is the most urgent. */
export function severityOf(pod: PodSnapshot, atMs: number): Severity {
  if (pod.deletionAtMs !== null) return 3;
  if (pod.phase === "Failed") return 2;
  if (pod.phase === "Succeeded") return FINE;
  if (pod.statuses.some((status) => hasCrashed(status, pod, atMs))) return 0;
  if (pod.statuses.some((status) => isDown(status, pod))) return 1;
  return pod.phase === "Running" ? FINE : 3;
}

/** Whether a container has crashed or cannot start, and has not run for 10 minutes since. */
export function isFailing(status: ContainerStatus, pod: PodSnapshot, atMs: number): boolean {
  return hasCrashed(status, pod, atMs) || isDown(status, pod);
}

function hasCrashed(status: ContainerStatus, pod: PodSnapshot, atMs: number): boolean {
  if (status.restartCount === 0) return false;
  if (status.state?.kind !== "running") return isDown(status, pod);
  const { startedAtMs } = status.state;
  return startedAtMs === null || atMs - startedAtMs < PROVEN_MS;
}

/** Whether a container cannot start, has exited although it should keep running, or has exited with an error. */
function isDown({ name, state }: ContainerStatus, pod: PodSnapshot): boolean {
  const spec = pod.containers.find((candidate) => candidate.name === name);
  if (spec?.type === "ephemeral") return false;
  if (state?.kind === "waiting") return !ORDINARY_WAITS.includes(state.reason);
  if (state?.kind !== "terminated") return false;
  const isToRun = spec?.type !== "init" && (spec?.restartPolicy ?? pod.restartPolicy) === "Always";
  return isToRun || state.exitCode !== 0;
}

function restartsOf(pod: PodSnapshot): number {
  return pod.statuses.reduce((sum, { restartCount }) => sum + restartCount, 0);
}
