import type { CaughtLog } from "../../explain/observed/catch.ts";
import type { Missing } from "../../explain/observed/observation.ts";
import type { Connection } from "../connection/connection.ts";
import { isForbidden, RequestFailure, whyMissing } from "../connection/request-failure.ts";
import { sleep, type Timers } from "../connection/timers.ts";
import { logPath } from "../pods/observe-logs.ts";
import { CollectedLines } from "./log-lines.ts";
import { isRetryable, RetryPauses } from "./watch-retry.ts";

interface ContainerRef {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
}

export interface EndedRun {
  readonly instance: "current" | "previous" | "gone";
  /** When the container's next run started: later lines belong to the next run. Null if no such start is known. */
  readonly nextStartedAtMs: number | null;
}

/** Assumed: if a log stream ends because the run is over, the pod's status shows it within this time. */
const AFTER_END_MS = 3_000;
/** Assumed: if the log of an ended run is silent for this time, no more lines come. */
const SILENCE_MS = 2_000;
const POLL_MS = 200;
/** After this time, `finish` begins no further attempt to read the rest of a log. */
const FINISH_MS = 30_000;

/** Also false if the request fails for another reason than a 403. */
export async function isLogForbidden(
  connection: Connection,
  { namespace, pod, container }: ContainerRef,
): Promise<boolean> {
  const query = { container, tailLines: "1", limitBytes: "1" };
  return connection.get(logPath(namespace, pod), { query, isOptional: true, parse: (text) => text }).then(
    () => false,
    (error: unknown) => isForbidden(error),
  );
}

export class LogFollower {
  readonly #connection: Connection;
  readonly #container: ContainerRef;
  readonly #lines: CollectedLines;
  readonly #nowMs: () => number;
  readonly #timers: Timers;
  readonly #following = new AbortController();
  readonly #ending = new AbortController();
  #followed: Promise<void> = Promise.resolve();
  #heardAtMs: number;
  #isReading = false;
  #isComplete = false;
  #missing: Missing["why"] | null = null;
  #failure: { readonly error: unknown } | null = null;

  constructor(connection: Connection, container: ContainerRef, mostBytes: number, nowMs: () => number, timers: Timers) {
    this.#connection = connection;
    this.#container = container;
    this.#lines = new CollectedLines(mostBytes);
    this.#nowMs = nowMs;
    this.#timers = timers;
    this.#heardAtMs = timers.nowMs();
  }

  start(): void {
    this.#followed = this.#follow(this.#following.signal).catch((error) => {
      this.#failure = { error };
    });
  }

  result(): CaughtLog {
    if (this.#failure !== null) throw this.#failure.error;
    const read = this.#lines.result();
    const missing = this.#missing ?? (this.#lines.hasNotice ? "not-found" : null);
    return { ...read, isComplete: this.#isComplete && missing === null, missing };
  }

  stop(): void {
    this.#following.abort();
    this.#ending.abort();
  }

  /** Tries to read the rest of the log. Calls `run` before each attempt, because the container may have restarted. */
  async finish(run: () => EndedRun): Promise<void> {
    const untilMs = this.#timers.nowMs() + FINISH_MS;
    const { signal } = this.#ending;
    // If the kubelet has rotated the log file, only the open stream can have the last lines of the old file.
    while (this.#isReading && this.#timers.nowMs() - this.#heardAtMs < SILENCE_MS && !signal.aborted) {
      await sleep(this.#timers, POLL_MS, signal);
    }
    this.#following.abort();
    // If `#follow` still read while the loop below reads, both would add the same lines.
    await this.#followed;
    const retry = new RetryPauses();
    while (this.#missing === null && !signal.aborted && this.#timers.nowMs() < untilMs) {
      const beganAtMs = this.#timers.nowMs();
      const { instance, nextStartedAtMs } = run();
      if (nextStartedAtMs !== null) this.#lines.cutFrom(nextStartedAtMs);
      if (instance === "gone") return this.#noteMissing();
      try {
        await this.#read(instance === "previous" ? { previous: "true" } : {}, signal);
        this.#isComplete = true;
        return;
      } catch (error) {
        this.#noteFailure(error);
        if (hasNoLog(error)) return this.#noteMissing();
      }
      await retry.wait(beganAtMs, { timers: this.#timers, signal });
    }
  }

  #noteMissing(): void {
    if (this.#lines.result().lines.length === 0) this.#missing ??= "not-found";
  }

  async #follow(signal: AbortSignal): Promise<void> {
    const retry = new RetryPauses();
    while (!signal.aborted && this.#missing === null) {
      const beganAtMs = this.#timers.nowMs();
      try {
        await this.#read({ follow: "true" }, signal);
        await sleep(this.#timers, AFTER_END_MS, signal);
      } catch (error) {
        if (signal.aborted) return;
        this.#noteFailure(error);
        await retry.wait(beganAtMs, { timers: this.#timers, signal });
      }
    }
  }

  #noteFailure(error: unknown): void {
    if (isForbidden(error)) this.#missing = whyMissing(error);
    else if (!isRetryable(error)) throw error;
  }

  async #read(how: Readonly<Record<string, string>>, signal: AbortSignal): Promise<void> {
    const { namespace, pod, container } = this.#container;
    const { sinceTime } = this.#lines;
    const stream = await this.#connection.stream(logPath(namespace, pod), {
      query: { container, timestamps: "true", ...how, ...(sinceTime !== null && { sinceTime }) },
      signal,
      ...("follow" in how && { timeoutMs: Infinity }),
    });
    const forgetJumps = this.#timers.onJump?.(() => stream.close());
    this.#isReading = true;
    this.#heard();
    this.#lines.begin();
    try {
      for await (const piece of stream.pieces) {
        this.#heard();
        this.#lines.add(piece, this.#nowMs());
      }
      this.#lines.end(this.#nowMs());
    } finally {
      this.#isReading = false;
      forgetJumps?.();
      stream.close();
    }
  }

  #heard(): void {
    this.#heardAtMs = this.#timers.nowMs();
  }
}

/** The API server answers 404, e.g. if the pod is gone, and 400, e.g. if the kubelet lacks the container's instance. */
function hasNoLog(error: unknown): boolean {
  return error instanceof RequestFailure && (error.kind === "not-found" || error.status === 400);
}
