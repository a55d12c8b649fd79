import { once } from "node:events";
import { STRATEGIES } from "../../backoff/jitter-strategies.ts";
import { MINUTE_MS } from "../../kubelet/go-duration.ts";
import type { Connection } from "../connection/connection.ts";
import { isForbidden, isWithoutCredentials, RequestFailure } from "../connection/request-failure.ts";
import { sleep, type Timers } from "../connection/timers.ts";

export interface Watching {
  readonly connection: Connection;
  readonly timers: Timers;
  readonly signal: AbortSignal;
}

export type Waiting = Pick<Watching, "timers" | "signal">;

export function isRetryable(error: unknown): error is Error {
  if (error instanceof RequestFailure) return error.kind !== "forbidden";
  return isWithoutCredentials(error);
}

/** The usual pause before the program reads again what changes rarely: owners, nodes and kubelets' configurations. */
export const REREAD_MS = 180_000;
/** The usual pause before the program reads nodes again after an incomplete read. */
export const REREAD_INCOMPLETE_MS = 30_000;

/** The number is low, because each attempt to open a watch may need a list first. */
const MOST_ATTEMPTS_PER_MINUTE = 12;
const MOST_RETRY_AFTER_MS = 300_000;

const PAUSES = { initialMs: 1_000, maxMs: 30_000 } as const;

/** The pause is random, so that clients do not retry together. */
export function retryPauseMs(failed: number, timers: Timers): number {
  return STRATEGIES.full(failed, 0, PAUSES, () => timers.random());
}

/**
 * After an attempt that lasts for 30 s, the pauses are short again. An answer does not suffice, because a server can
 * close each answer after one line.
 */
export class RetryPauses {
  #shortLived = 0;
  readonly #beganAtMs: number[] = [];

  async wait(beganAtMs: number, { timers, signal }: Waiting, retryAfterMs = 0): Promise<void> {
    await sleep(timers, this.#nextMs(beganAtMs, timers, retryAfterMs), signal);
  }

  #nextMs(beganAtMs: number, timers: Timers, retryAfterMs: number): number {
    const endedAtMs = timers.nowMs();
    if (endedAtMs - beganAtMs >= PAUSES.maxMs) this.#shortLived = 0;
    const pauseMs = retryPauseMs(this.#shortLived++, timers) + Math.min(retryAfterMs, MOST_RETRY_AFTER_MS);
    this.#beganAtMs.push(beganAtMs);
    if (this.#beganAtMs.length < MOST_ATTEMPTS_PER_MINUTE) return pauseMs;
    const oldestAtMs = this.#beganAtMs.shift() ?? 0;
    // Without `Math.min`, a clock that was set back by hours would make the program wait for hours.
    return Math.max(pauseMs, Math.min(MINUTE_MS, oldestAtMs + MINUTE_MS - endedAtMs));
  }
}

/** The pause is short, because an API server that has just started can send a 403 to an allowed user. */
const FIRST_FORBIDDEN_PAUSE_MS = 15_000;
const LONGEST_FORBIDDEN_PAUSE_MS = 300_000;

/**
 * If `watch` is forbidden, calls `otherwise`, aborts the signal of `otherwise` after a pause, and calls `watch` again.
 * Throws any other error of `watch`.
 */
export async function whileAllowed(
  { timers, signal }: Waiting,
  watch: () => Promise<void>,
  otherwise: (signal: AbortSignal) => Promise<unknown> = untilAborted,
): Promise<void> {
  let pauseMs = FIRST_FORBIDDEN_PAUSE_MS;
  while (!signal.aborted) {
    const beganAtMs = timers.nowMs();
    try {
      return await watch();
    } catch (error) {
      if (!isForbidden(error)) throw error;
    }
    if (timers.nowMs() - beganAtMs >= LONGEST_FORBIDDEN_PAUSE_MS) pauseMs = FIRST_FORBIDDEN_PAUSE_MS;
    const pause = new AbortController();
    const callOff = timers.after(pauseMs, () => pause.abort());
    await otherwise(AbortSignal.any([signal, pause.signal])).finally(callOff);
    pauseMs = Math.min(LONGEST_FORBIDDEN_PAUSE_MS, pauseMs * 2);
  }
}

async function untilAborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, "abort");
}

export class Pause {
  #isCut = false;
  #wake: () => void = () => {};

  cutShort(): void {
    this.#isCut = true;
    this.#wake();
  }

  async wait(ms: number, { timers, signal }: Waiting): Promise<void> {
    const pause = new AbortController();
    this.#wake = () => pause.abort();
    if (!this.#isCut) await sleep(timers, ms, AbortSignal.any([signal, pause.signal]));
    this.#isCut = false;
  }
}
