import type { Window } from "../../src/explain/answer/explanation.ts";

/** How long after the first sight of an exit the first question comes: what restarts at once is no wait. */
export const FIRST_ASK_AFTER_MS = 500;

const SHARES = [0.3, 0.6, 0.9];
const WITHOUT_WINDOW_MS = [10_000, 30_000, 90_000];
/** Between two questions about one wait. */
const LEAST_GAP_MS = 2000;

/**
 * When to ask about a wait again, given the first answer: at some shares of the time to the middle of its window, and at the
 * window's end, should the container still be down then.
 */
export function laterAsksAt(window: Window | null, askedAtMs: number): number[] {
  if (window === null) return WITHOUT_WINDOW_MS.map((afterMs) => askedAtMs + afterMs);
  const middleMs = (window.notBeforeMs + window.likelyByMs) / 2;
  const inside = SHARES.map((share) => askedAtMs + share * (middleMs - askedAtMs));
  let lastMs = askedAtMs;
  return [...inside, window.likelyByMs].filter((atMs) => {
    if (atMs - lastMs < LEAST_GAP_MS) return false;
    lastMs = atMs;
    return true;
  });
}
