const FIRST_MS = 1_000;
const LONGEST_MS = 30_000;

/** Whatever chance says: no watch is asked for more often than that. A list may go before each. */
const MOST_ATTEMPTS = 12;
const MINUTE_MS = 60_000;
/** A server that asks to be left alone for longer is asked anyway: it may not know better. */
const MOST_PATIENT_MS = 300_000;

/**
 * The pauses between attempts to keep a watch open: up to 1 s, 2 s, 4 s … 30 s with full jitter, so that clients that lost
 * a server together do not come back together. Only an attempt that lasted counts as a success: a server that accepts, sends
 * a line and closes would otherwise be asked again without any pause.
 */
export class RetryPause {
  #shortLived = 0;

  /** The pause after an attempt that lasted `livedMs`; `random` is from 0 to 1. */
  nextMs(livedMs: number, random: number): number {
    if (livedMs >= LONGEST_MS) this.#shortLived = 0;
    const mostMs = Math.min(LONGEST_MS, FIRST_MS * 2 ** this.#shortLived);
    this.#shortLived = Math.min(this.#shortLived + 1, 30);
    return random * mostMs;
  }
}

/** The same with a limit to how often in a minute, and with patience for a server that asks for it. */
export class PoliteRetry {
  readonly #pause = new RetryPause();
  readonly #beganAtMs: number[] = [];

  /** The pause after an attempt from the first instant to the second; `retryAfterMs` is what the server asked for. */
  nextMs(beganAtMs: number, endedAtMs: number, random: number, retryAfterMs: number | null): number {
    this.#beganAtMs.push(beganAtMs);
    const pauseMs = this.#pause.nextMs(endedAtMs - beganAtMs, random) + Math.min(retryAfterMs ?? 0, MOST_PATIENT_MS);
    if (this.#beganAtMs.length < MOST_ATTEMPTS) return pauseMs;
    const oldestAtMs = this.#beganAtMs.shift() ?? 0;
    // A clock that was set back keeps nobody waiting for longer than a minute.
    return Math.max(pauseMs, Math.min(MINUTE_MS, oldestAtMs + MINUTE_MS - endedAtMs));
  }
}
