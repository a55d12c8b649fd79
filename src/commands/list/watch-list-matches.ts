import { type ExplainOptions, explain } from "../../explain/explain.ts";
import { type BackoffList, joined, listed } from "../../explain/list.ts";
import type { PodObservation, PodSnapshot } from "../../explain/observed/observation.ts";
import type { Moment } from "../watch/watch-time.ts";

interface Match {
  readonly observed: PodObservation;
  readonly found: BackoffList;
}

/** The pods that have a container that is down, as they were last seen; others are judged and forgotten. */
export class ListMatches {
  readonly #options: ExplainOptions;
  readonly #matches = new Map<string, Match>();

  constructor(options: ExplainOptions) {
    this.#options = options;
  }

  /** How many pods are held. */
  get size(): number {
    return this.#matches.size;
  }

  /** Takes a pod in if anything of it is down. Gives whether it is one of those that are held, or was. */
  judge(observed: PodObservation, moment: Moment): boolean {
    const observation = { ...moment, pods: [observed] };
    const found = listed(observation, explain(observation, this.#options));
    if (found.items.length === 0) return this.forget(observed.pod);
    this.#matches.set(keyOf(observed.pod), { observed, found });
    return true;
  }

  /** Judges anew what only time has changed. */
  judgeAll(moment: Moment): void {
    for (const { observed } of [...this.#matches.values()]) this.judge(observed, moment);
  }

  /** Gives whether it was held. */
  forget(pod: Pick<PodSnapshot, "namespace" | "name">): boolean {
    return this.#matches.delete(keyOf(pod));
  }

  clear(): void {
    this.#matches.clear();
  }

  /** All that is down, as one list. */
  list(atMs: number): BackoffList {
    const parts = [...this.#matches.values()].map(({ found }) => found);
    return joined(atMs, parts);
  }
}

function keyOf({ namespace, name }: Pick<PodSnapshot, "namespace" | "name">): string {
  return `${namespace}/${name}`;
}
