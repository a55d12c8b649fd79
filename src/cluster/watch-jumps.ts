import type { Timers } from "./timers.ts";

/** A busy machine is late by less, and a connection outlives a shorter sleep. */
const JUMP_MS = 20_000;

/**
 * The same timers, which notice that the clock and they disagree: timers stand still while a machine sleeps, the clock does
 * not; and a clock that is set moves without them. Whoever has a timer running is told by the first that goes off.
 */
export function noticingJumps(timers: Timers): Timers {
  const listeners = new Set<() => void>();
  let jumpedMs = 0;
  return {
    nowMs: () => timers.nowMs(),
    random: () => timers.random(),
    after: (ms, run) => {
      const dueAtMs = timers.nowMs() + ms - jumpedMs;
      return timers.after(ms, () => {
        const offMs = timers.nowMs() - dueAtMs - jumpedMs;
        if (Math.abs(offMs) >= JUMP_MS) {
          jumpedMs += offMs;
          for (const listener of [...listeners]) listener();
        }
        run();
      });
    },
    onJump: (run) => {
      // The same function may be given twice.
      const listener = (): void => run();
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
