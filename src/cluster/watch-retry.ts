const FIRST_MS = 1_000;
const LONGEST_MS = 30_000;

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
