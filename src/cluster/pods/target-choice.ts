import type { PodSnapshot, Selection } from "../../explain/observed/observation.ts";
import { uidOf } from "../objects/owner-reference.ts";
import { toPodSnapshot } from "../objects/pod.ts";
import type { RawObject } from "../owners/workload-source.ts";
import { FINE, restartsOf, type Severity, severityOf } from "./target-triage.ts";

/** More pods than this are not explained: nobody reads on, and an API server has other things to do. */
export const MOST_EXPLAINED = 50;

/** Where a pod stands among the others. */
export interface PodOrder {
  /** Which of the targets means it, counted from 0. */
  readonly target: number;
  /** 0 is of the workload's current revision. */
  readonly rank: number;
  /** Whether it was asked for by its own name. */
  readonly isNamed: boolean;
}

/** A pod that is to be explained. */
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
 * Chooses the pods to explain, up to fifty of any number unless told otherwise: those that look like trouble before those that look fine, the
 * current revision's before older ones', the most urgent first. Holds no more than twice as many at a time.
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

  /** A pod that several targets mean counts once. `atMs` is now. */
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

  /** The pods to explain, the most urgent first. */
  chosen(): readonly ChosenPod[] {
    this.#prune();
    return this.#candidates;
  }

  /** How many there were, and what became of the others. */
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
