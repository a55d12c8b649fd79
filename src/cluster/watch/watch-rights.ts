import type { Timers } from "../connection/timers.ts";
import { isForbidden } from "./watch-failure.ts";

/** An API server that has just started may refuse everybody for some seconds; who lacks rights is seldom given them. */
const FIRST_MS = 15_000;
const LONGEST_MS = 300_000;

/**
 * Does `watch` for as long as rights allow it. While they do not, does the other thing until its signal ends it, and then
 * tries again, less and less often. Ends when `watch` does, or with `signal`.
 */
export async function whileAllowed(
  watch: () => Promise<void>,
  otherwise: (signal: AbortSignal) => Promise<void>,
  timers: Timers,
  signal: AbortSignal,
): Promise<void> {
  let pauseMs = FIRST_MS;
  while (!signal.aborted) {
    const beganAtMs = timers.nowMs();
    try {
      return await watch();
    } catch (error) {
      if (!isForbidden(error)) throw error;
    }
    if (timers.nowMs() - beganAtMs >= LONGEST_MS) pauseMs = FIRST_MS;
    await forAWhile(otherwise, pauseMs, timers, signal);
    pauseMs = Math.min(LONGEST_MS, pauseMs * 2);
  }
}

async function forAWhile(
  act: (signal: AbortSignal) => Promise<void>,
  ms: number,
  timers: Timers,
  signal: AbortSignal,
): Promise<void> {
  const turn = new AbortController();
  const end = (): void => turn.abort();
  const callOff = timers.after(ms, end);
  signal.addEventListener("abort", end);
  try {
    await act(turn.signal);
  } finally {
    callOff();
    signal.removeEventListener("abort", end);
  }
}

/** There is nothing else to be done. */
export function nothingElse(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    signal.addEventListener("abort", () => resolve());
  });
}
