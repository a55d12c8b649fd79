import { once } from "node:events";
import { STRATEGIES } from "../../backoff/jitter-strategies.ts";
import { UserError } from "../../errors.ts";
import { MINUTE_MS } from "../../kubelet/go-duration.ts";
import type { Connection } from "../connection/connection.ts";
import { RequestFailure } from "../connection/request-failure.ts";
import { sleep, type Timers } from "../connection/timers.ts";

export interface Watching {
  readonly connection: Connection;
  readonly timers: Timers;
  readonly signal: AbortSignal;
}

export type Waiting = Pick<Watching, "timers" | "signal">;

/** Whether an error may go away: a failure of the API server, the network or the login. A 403 or a bug does not. */
export function isPassing(error: unknown): error is Error {
  if (error instanceof RequestFailure) return error.kind !== "forbidden";
  return error instanceof UserError && error.code === "badCredentials";
}

export function isForbidden(error: unknown): error is RequestFailure {
  return error instanceof RequestFailure && error.kind === "forbidden";
}

/** The pause between two reads of what changes rarely: owners, nodes, and the configurations of their kubelets. */
export const REREAD_MS = 180_000;
/** The pause after an incomplete read of a node. A kubelet that restarts answers again soon. */
export const REREAD_INCOMPLETE_MS = 30_000;

/** The maximum number of attempts a minute to open a watch or a log. Each watch may need a list first. */
const MOST_ATTEMPTS = 12;
/** The longest wait that the program accepts from a Retry-After; it cuts a longer one to this. */
const MOST_PATIENT_MS = 300_000;

const PAUSES = { baseMs: 1_000, capMs: 30_000 } as const;

/** Returns a random pause of up to 1 s (`failed` is 0), 2 s, 4 s … 30 s, so that clients do not return together. */
export function retryPauseMs(failed: number, timers: Timers): number {
  return STRATEGIES.full(failed, 0, PAUSES, () => timers.random());
}

/**
 * Computes the pauses between attempts to keep a watch or a log open: {@link retryPauseMs}, plus the server's
 * Retry-After, and at most 12 attempts a minute. The pauses start over only after an attempt that lasted for 30 s.
 * Without this rule, a server that accepts, sends a line and closes would get requests without a pause.
 */
export class PoliteRetry {
  #shortLived = 0;
  readonly #beganAtMs: number[] = [];

  async wait(beganAtMs: number, { timers, signal }: Waiting, retryAfterMs = 0): Promise<void> {
    await sleep(timers, this.#nextMs(beganAtMs, timers, retryAfterMs), signal);
  }

  #nextMs(beganAtMs: number, timers: Timers, retryAfterMs: number): number {
    const endedAtMs = timers.nowMs();
    if (endedAtMs - beganAtMs >= PAUSES.capMs) this.#shortLived = 0;
    const pauseMs = retryPauseMs(this.#shortLived++, timers) + Math.min(retryAfterMs, MOST_PATIENT_MS);
    this.#beganAtMs.push(beganAtMs);
    if (this.#beganAtMs.length < MOST_ATTEMPTS) return pauseMs;
    const oldestAtMs = this.#beganAtMs.shift() ?? 0;
    // A clock that was set back keeps the program waiting for a minute at most.
    return Math.max(pauseMs, Math.min(MINUTE_MS, oldestAtMs + MINUTE_MS - endedAtMs));
  }
}

/**
 * The first pause after a 403. It is short, because an API server that has just started may send 403 to every client.
 */
const FIRST_REFUSED_MS = 15_000;
const LONGEST_REFUSED_MS = 300_000;

/**
 * Calls `watch`. While that is forbidden (403), calls `otherwise` instead, and tries `watch` again with growing pauses.
 * Ends when `watch` ends or `signal` is aborted. By default, nothing replaces the watch.
 */
export async function whileAllowed(
  { timers, signal }: Waiting,
  watch: () => Promise<void>,
  otherwise: (signal: AbortSignal) => Promise<unknown> = untilAborted,
): Promise<void> {
  let pauseMs = FIRST_REFUSED_MS;
  while (!signal.aborted) {
    const beganAtMs = timers.nowMs();
    try {
      return await watch();
    } catch (error) {
      if (!isForbidden(error)) throw error;
    }
    if (timers.nowMs() - beganAtMs >= LONGEST_REFUSED_MS) pauseMs = FIRST_REFUSED_MS;
    const turn = new AbortController();
    const callOff = timers.after(pauseMs, () => turn.abort());
    await otherwise(AbortSignal.any([signal, turn.signal])).finally(callOff);
    pauseMs = Math.min(LONGEST_REFUSED_MS, pauseMs * 2);
  }
}

async function untilAborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, "abort");
}

/** A wait that a caller can end early, even before it begins. */
export class Pause {
  #isCut = false;
  #wake: () => void = () => {};

  cutShort(): void {
    this.#isCut = true;
    this.#wake();
  }

  async wait(ms: number, { timers, signal }: Waiting): Promise<void> {
    const turn = new AbortController();
    this.#wake = () => turn.abort();
    if (!this.#isCut) await sleep(timers, ms, AbortSignal.any([signal, turn.signal]));
    this.#isCut = false;
  }
}
