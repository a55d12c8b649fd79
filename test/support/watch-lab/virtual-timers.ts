import { setImmediate as turn } from "node:timers/promises";
import type { Timers } from "../../../src/cluster/watch-timers.ts";
import { T0_MS } from "../builders.ts";

interface Alarm {
  readonly atMs: number;
  readonly order: number;
  readonly run: () => void;
}

/** Timers whose time passes as fast as what they wake up gets done: a day in seconds. Chance is seeded. */
export class VirtualTimers implements Timers {
  #nowMs = T0_MS;
  #order = 0;
  #seed: number;
  readonly #alarms = new Set<Alarm>();

  constructor(seed = 1) {
    this.#seed = seed;
  }

  nowMs(): number {
    return this.#nowMs;
  }

  after(ms: number, run: () => void): () => void {
    const alarm = { atMs: this.#nowMs + Math.max(0, ms), order: this.#order++, run };
    this.#alarms.add(alarm);
    return () => this.#alarms.delete(alarm);
  }

  /** mulberry32. */
  random(): number {
    this.#seed = (this.#seed + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#seed ^ (this.#seed >>> 15), 1 | this.#seed);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** How many are set. */
  get pending(): number {
    return this.#alarms.size;
  }

  /** Lets so much time pass: every timer runs at its instant, and what it wakes up is done before time goes on. */
  async pass(ms: number): Promise<void> {
    const endMs = this.#nowMs + ms;
    await settle();
    for (let next = this.#next(endMs); next !== null; next = this.#next(endMs)) {
      this.#alarms.delete(next);
      this.#nowMs = Math.max(this.#nowMs, next.atMs);
      next.run();
      await settle();
    }
    this.#nowMs = endMs;
  }

  #next(endMs: number): Alarm | null {
    let first: Alarm | null = null;
    for (const alarm of this.#alarms) {
      if (alarm.atMs > endMs) continue;
      if (first === null || alarm.atMs < first.atMs || (alarm.atMs === first.atMs && alarm.order < first.order)) {
        first = alarm;
      }
    }
    return first;
  }
}

/** Promises and streams that are under way take some turns of the event loop. */
async function settle(): Promise<void> {
  for (let turns = 0; turns < 3; turns++) await turn();
}
