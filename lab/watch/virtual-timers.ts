import { setImmediate as turn } from "node:timers/promises";
import type { Timers } from "../../src/cluster/connection/timers.ts";
import { T0_MS } from "../../test/support/builders.ts";

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
  /** A heap: the next one first. What was called off stays in it until its turn. */
  readonly #heap: Alarm[] = [];
  readonly #pending = new Set<Alarm>();

  constructor(seed = 1) {
    this.#seed = seed;
  }

  nowMs(): number {
    return this.#nowMs;
  }

  after(ms: number, run: () => void): () => void {
    const alarm = { atMs: this.#nowMs + Math.max(0, ms), order: this.#order++, run };
    this.#pending.add(alarm);
    this.#heap.push(alarm);
    this.#rise(this.#heap.length - 1);
    return () => this.#pending.delete(alarm);
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
    return this.#pending.size;
  }

  /** Lets so much time pass: every timer runs at its instant, and what it wakes up is done before time goes on. */
  async pass(ms: number): Promise<void> {
    const endMs = this.#nowMs + ms;
    await settle();
    for (let next = this.#heap[0]; next !== undefined && next.atMs <= endMs; next = this.#heap[0]) {
      this.#takeFirst();
      if (!this.#pending.delete(next)) continue;
      this.#nowMs = Math.max(this.#nowMs, next.atMs);
      next.run();
      await settle();
    }
    this.#nowMs = endMs;
  }

  #takeFirst(): void {
    const last = this.#heap.pop();
    if (last === undefined || this.#heap.length === 0) return;
    this.#heap[0] = last;
    this.#sink(0);
  }

  #rise(from: number): void {
    for (let at = from; at > 0; ) {
      const above = (at - 1) >> 1;
      if (!this.#isBefore(at, above)) return;
      this.#swap(at, above);
      at = above;
    }
  }

  #sink(from: number): void {
    for (let at = from; ; ) {
      const [left, right] = [2 * at + 1, 2 * at + 2];
      const first = this.#isBefore(right, left) ? right : left;
      if (!this.#isBefore(first, at)) return;
      this.#swap(at, first);
      at = first;
    }
  }

  #isBefore(one: number, other: number): boolean {
    const [a, b] = [this.#heap[one], this.#heap[other]];
    if (a === undefined) return false;
    return b === undefined || a.atMs < b.atMs || (a.atMs === b.atMs && a.order < b.order);
  }

  #swap(one: number, other: number): void {
    const [a, b] = [this.#heap[one], this.#heap[other]];
    if (a !== undefined && b !== undefined) [this.#heap[one], this.#heap[other]] = [b, a];
  }
}

/** Promises and streams that are under way take some turns of the event loop. */
async function settle(): Promise<void> {
  for (let turns = 0; turns < 3; turns++) await turn();
}
