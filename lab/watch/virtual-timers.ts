import { setImmediate as turn } from "node:timers/promises";
import type { Timers } from "../../src/cluster/connection/timers.ts";
import { T0_MS } from "../../test/support/builders.ts";

interface Alarm {
  readonly atMs: number;
  readonly run: () => void;
}

/** Equal seeds give equal random numbers. */
export class VirtualTimers implements Timers {
  #nowMs = T0_MS;
  #seed: number;
  readonly #alarms: Alarm[] = [];

  constructor(seed = 1) {
    this.#seed = seed;
  }

  nowMs(): number {
    return this.#nowMs;
  }

  after(ms: number, run: () => void): () => void {
    const alarm = { atMs: this.#nowMs + Math.max(0, ms), run };
    this.#alarms.splice(this.#alarms.findLastIndex(({ atMs }) => atMs <= alarm.atMs) + 1, 0, alarm);
    return () => {
      const index = this.#alarms.indexOf(alarm);
      if (index !== -1) this.#alarms.splice(index, 1);
    };
  }

  /** mulberry32. */
  random(): number {
    this.#seed = (this.#seed + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#seed ^ (this.#seed >>> 15), 1 | this.#seed);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  get pending(): number {
    return this.#alarms.length;
  }

  /** Runs the timers that fall due, each at its instant. Pending work settles before time goes on. */
  async pass(ms: number): Promise<void> {
    const endMs = this.#nowMs + ms;
    await settle();
    for (let next = this.#alarms[0]; next !== undefined && next.atMs <= endMs; next = this.#alarms[0]) {
      this.#alarms.shift();
      this.#nowMs = Math.max(this.#nowMs, next.atMs);
      next.run();
      await settle();
    }
    this.#nowMs = endMs;
  }
}

/** Pending promises and streams need some turns of the event loop. */
async function settle(): Promise<void> {
  for (let turns = 0; turns < 3; turns++) await turn();
}
