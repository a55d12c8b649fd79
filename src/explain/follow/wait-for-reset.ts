import type { ContainerExplanation } from "../answer/explanation.ts";
import type { WaitCondition } from "./wait-for.ts";

/** The back-off entry of the container, or of each that starts again, has expired or been dropped. At once if there is none: of no container then. */
export function resets(container: string | undefined): WaitCondition {
  const entries = new Map<string, Entry>();
  return ({ explained, atMs }) => {
    const meant = explained.containers.filter(({ name, type, state }) => {
      if (state === "completed" || state === "failed") return false;
      return container === undefined ? type !== "ephemeral" : name === container;
    });
    for (const explanation of meant) {
      const entry = entries.get(explanation.name) ?? new Entry();
      entry.look(explanation, atMs);
      entries.set(explanation.name, entry);
    }
    if (meant.length === 0) return { kind: "impossible", because: NOTHING_STARTS };
    const left = meant.some(({ name }) => entries.get(name)?.resetAtMs == null);
    if (left) return { kind: "waiting" };
    if ([...entries.values()].every(({ hadNone }) => hadNone)) {
      return { kind: "happened", container: null, start: null, atMs };
    }
    const last = meant.toSorted((a, b) => resetOf(b, entries) - resetOf(a, entries))[0];
    return { kind: "happened", container: last?.name ?? null, start: null, atMs: resetOf(last, entries) };
  };
}

const NOTHING_STARTS = "nothing that has ended in it starts again, so there is no back-off";

function resetOf(explanation: ContainerExplanation | undefined, entries: ReadonlyMap<string, Entry>): number {
  return entries.get(explanation?.name ?? "")?.resetAtMs ?? 0;
}

/** A container's back-off entry over several looks. */
class Entry {
  /** When it went; null as long as it is there or nothing is known. */
  resetAtMs: number | null = null;
  /** There was none at the first look. */
  hadNone = false;
  #isKnown = false;
  #largestDelayMs = 0;
  #promisedAtMs: number | null = null;

  look({ state, delayMs: delayNowMs, ifItExits, reset }: ContainerExplanation, atMs: number): void {
    // A kill by a probe may wait for nothing although there is an entry: an exit by itself shows the entry's delay.
    const delayMs = ifItExits?.find(({ how }) => how === "exits")?.delayMs ?? delayNowMs;
    if (this.resetAtMs !== null) return;
    const promised = this.#promisedAtMs;
    if (promised !== null && promised <= atMs && (reset === null || reset.atMs <= atMs)) this.resetAtMs = promised;
    // A curve only ever rises: a smaller delay than before is one that has begun anew.
    else if (
      (delayMs === 0 && reset === null) ||
      (state === "running" && delayMs !== null && delayMs < this.#largestDelayMs)
    ) {
      this.resetAtMs = atMs;
      this.hadNone = !this.#isKnown;
    }
    this.#isKnown = true;
    // The wait that is under way may be one that the entry no longer has: what counts is what the next exit waits for.
    if (state === "running" || reset !== null) this.#promisedAtMs = reset?.atMs ?? null;
    this.#largestDelayMs = Math.max(this.#largestDelayMs, delayMs ?? 0);
  }
}
