import type { Timers } from "../../src/cluster/connection/timers.ts";

interface Alarm {
  leftMs: number;
  setAtMs: number;
  readonly run: () => void;
  callOff: () => void;
}

/**
 * The timers of a machine that can sleep and whose clock can be set. After a sleep, the timers run for the time that
 * was left, while the clock has moved on.
 */
export class Laptop implements Timers {
  /** How far the clock of this machine is ahead of the true time. */
  clockOffMs = 0;
  isAsleep = false;
  readonly #world: Timers;
  readonly #alarms = new Set<Alarm>();

  constructor(world: Timers) {
    this.#world = world;
  }

  nowMs(): number {
    return this.#world.nowMs() + this.clockOffMs;
  }

  random(): number {
    return this.#world.random();
  }

  after(ms: number, run: () => void): () => void {
    const alarm = { leftMs: Math.max(0, ms), setAtMs: 0, run, callOff: () => {} };
    this.#alarms.add(alarm);
    if (!this.isAsleep) this.#set(alarm);
    return () => {
      alarm.callOff();
      this.#alarms.delete(alarm);
    };
  }

  sleep(ms: number): void {
    if (this.isAsleep) return;
    this.isAsleep = true;
    for (const alarm of this.#alarms) {
      alarm.callOff();
      alarm.leftMs = Math.max(0, alarm.leftMs - (this.#world.nowMs() - alarm.setAtMs));
    }
    this.#world.after(ms, () => {
      this.isAsleep = false;
      for (const alarm of [...this.#alarms]) this.#set(alarm);
    });
  }

  get pending(): number {
    return this.#alarms.size;
  }

  #set(alarm: Alarm): void {
    alarm.setAtMs = this.#world.nowMs();
    alarm.callOff = this.#world.after(alarm.leftMs, () => {
      this.#alarms.delete(alarm);
      alarm.run();
    });
  }
}
