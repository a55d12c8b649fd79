import { instantsOf, podKey } from "../../explain/observed/lookups.ts";
import type { PodSnapshot, Selection } from "../../explain/observed/observation.ts";
import { FINE, type Severity, severityOf, troubleInStatus } from "../../explain/triage.ts";
import type { JsonObject } from "../objects/json-access.ts";
import { controllerOf, uidOf } from "../objects/owner-reference.ts";
import { toPodSnapshot } from "../objects/pod.ts";

/** Assumed: more pods would be too much for the user and for the API server. */
export const MOST_EXPLAINED = 50;

interface PodOrder {
  readonly target: number;
  readonly rank: number;
  readonly isNamed: boolean;
}

export interface ChosenPod extends PodOrder {
  readonly raw: JsonObject;
  readonly pod: PodSnapshot;
  readonly isFine: boolean;
  readonly severity: Severity;
  readonly restarts: number;
  /**
   * The latest of the pod's creation, starts and exits. Assumed: of pods that fail alike, the pod that exited first
   * restarts first.
   */
  readonly lastInstantMs: number;
}

export class PodChoice {
  readonly #atMs: () => number;
  readonly #most: number;
  readonly #keys = new Set<string>();
  #candidates: ChosenPod[] = [];
  #leftOutFine = 0;
  #leftOutFailing = 0;

  constructor(atMs: () => number, most = MOST_EXPLAINED) {
    this.#atMs = atMs;
    this.#most = most;
  }

  add(raw: JsonObject, { target = 0, rank = 0, isNamed = false }: Partial<PodOrder> = {}): void {
    const pod = toPodSnapshot(raw);
    const key = keyOf({ pod, raw });
    const severity = severityOf(pod, this.#atMs());
    if (this.#keys.has(key)) {
      if (!isNamed) return;
      this.#forget(key, severity);
    }
    this.#keys.add(key);
    const restarts = pod.statuses.reduce((sum, { restartCount }) => sum + restartCount, 0);
    const lastInstantMs = Math.max(...instantsOf(pod));
    const order = { target, rank, isNamed, severity, restarts, lastInstantMs };
    this.#candidates.push({ ...order, raw, pod, isFine: severity === FINE });
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
      leftOutFailing: this.#leftOutFailing,
      named: this.#candidates.filter(({ isNamed }) => isNamed).map(({ pod }) => podKey(pod)),
    };
  }

  #forget(key: string, severity: Severity): void {
    const others = this.#candidates.filter((candidate) => keyOf(candidate) !== key);
    if (others.length < this.#candidates.length) this.#candidates = others;
    else if (severity === FINE) this.#leftOutFine--;
    else this.#leftOutFailing--;
  }

  #prune(): void {
    const sorted = this.#candidates.toSorted(mostUrgentFirst);
    this.#candidates = sorted.slice(0, this.#most);
    for (const { isFine } of sorted.slice(this.#most)) {
      if (isFine) this.#leftOutFine++;
      else this.#leftOutFailing++;
    }
  }
}

function keyOf({ pod, raw }: Pick<ChosenPod, "pod" | "raw">): string {
  return `${podKey(pod)} ${uidOf(raw)}`;
}

function mostUrgentFirst(a: ChosenPod, b: ChosenPod): number {
  const isLast = ({ isFine, isNamed }: ChosenPod): boolean => isFine && !isNamed;
  return (
    Number(isLast(a)) - Number(isLast(b)) ||
    a.target - b.target ||
    a.rank - b.rank ||
    a.severity - b.severity ||
    a.lastInstantMs - b.lastInstantMs ||
    b.restarts - a.restarts ||
    podKey(a.pod).localeCompare(podKey(b.pod), "en")
  );
}

const MOST_UNASKED_LOGS = 3;

/**
 * Of several failing pods, chooses at most one for each controller, because the pods of a controller usually fail in
 * the same way. `chosen` must have the most urgent pods first.
 */
export function podsToLog(
  chosen: readonly ChosenPod[],
  atMs: number,
  most = MOST_UNASKED_LOGS,
): ReadonlySet<ChosenPod> {
  if (chosen.length <= 1) return new Set(chosen);
  const failing = chosen.filter(({ isFine }) => !isFine);
  const byController = Map.groupBy(failing, ({ raw, pod }) => {
    const { kind, name, uid } = controllerOf(raw) ?? {};
    return JSON.stringify(kind === undefined ? [pod.namespace, pod.name] : [pod.namespace, kind, name, uid]);
  });
  const first = [...byController.values()].flatMap(
    (pods) => pods.find((pod) => hasContainerToRestart(pod, atMs)) ?? lastTry(pods) ?? pods[0] ?? [],
  );
  return new Set(first.slice(0, most));
}

/** Assumed: the failed pods of a controller are the tries of a Job. */
function lastTry(pods: readonly ChosenPod[]): ChosenPod | undefined {
  const podHasFailed = ({ pod }: ChosenPod): boolean => pod.phase === "Failed";
  const [first] = pods;
  return first !== undefined && podHasFailed(first) ? pods.findLast(podHasFailed) : undefined;
}

function hasContainerToRestart({ pod }: ChosenPod, atMs: number): boolean {
  return pod.statuses.some((status) => troubleInStatus(status, pod, atMs) === "awaiting-restart");
}
