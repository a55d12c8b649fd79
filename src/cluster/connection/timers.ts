export interface Timers {
  nowMs(): number;
  after(ms: number, run: () => void): () => void;
  random(): number;
  /** Calls `run` if the machine seems to have slept, or if its clock seems to have been set. */
  onJump?(run: () => void): () => void;
}

/** Node.js replaces a longer delay of a timer by 1 ms. */
const MOST_TIMER_MS = 2 ** 31 - 1;

export function realTimers(nowMs: () => number): Timers {
  return noticingJumps({
    nowMs,
    after: (ms, run) => {
      const timer = setTimeout(run, Math.min(ms, MOST_TIMER_MS));
      return () => clearTimeout(timer);
    },
    random: Math.random,
  });
}

/** Assumed: a busy machine delays timers by less than this time. Connections survive a shorter sleep of the machine. */
const JUMP_MS = 20_000;

/**
 * Inferred: if a timer goes off much too late or too early by a wall clock, the machine has slept, or the clock has
 * been set.
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
      listeners.add(run);
      return () => listeners.delete(run);
    },
  };
}

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
