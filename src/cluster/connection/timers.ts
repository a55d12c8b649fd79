/** Clock, timers and random numbers. A test replaces them, and passes a day in a second. */
export interface Timers {
  /** The local clock, in milliseconds since 1970. */
  nowMs(): number;
  /** Calls `run` once, after `ms`; the result calls it off. */
  after(ms: number, run: () => void): () => void;
  /** From 0 up to, but not including, 1. */
  random(): number;
  /** Calls `run` whenever the clock has jumped: the machine slept, or the user set the clock. The result calls it off. */
  onJump?(run: () => void): () => void;
}

/** The longest time of Node's timers: 24 days. */
const LONGEST_MS = 2 ** 31 - 1;

export function realTimers(nowMs: () => number): Timers {
  return noticingJumps({
    nowMs,
    after: (ms, run) => {
      const timer = setTimeout(run, Math.min(ms, LONGEST_MS));
      return () => clearTimeout(timer);
    },
    random: Math.random,
  });
}

/** On a busy machine, timers are late by less than this. Connections survive a shorter sleep of the machine. */
const JUMP_MS = 20_000;

/** Adds `onJump`, which notices jumps when a timer goes off: timers stop while a machine sleeps, the clock does not. */
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
      // A new function, because a caller may give the same one twice.
      const listener = (): void => run();
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Waits for `ms`, or until `signal` is aborted. */
export function sleep(timers: Timers, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const end = (): void => {
      callOff();
      signal.removeEventListener("abort", end);
      resolve();
    };
    const callOff = timers.after(ms, end);
    signal.addEventListener("abort", end);
  });
}
