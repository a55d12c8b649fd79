import type { CaughtLog } from "../../explain/observed/catch.ts";
import type { Missing } from "../../explain/observed/observation.ts";
import type { Connection } from "../connection/connection.ts";
import { RequestFailure, whyMissing } from "../connection/request-failure.ts";
import { sleep, type Timers } from "../connection/timers.ts";
import { collectionPath, inPath } from "../objects/workload-kinds.ts";
import { LogLines } from "./log-lines.ts";
import { isForbidden, isPassing, PoliteRetry } from "./watch-retry.ts";

interface LogPlace {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
}

/** Which instance the kubelet has to be asked for to get the log of a run that is over. */
export interface EndedRun {
  /** gone: the pod's status names others only. */
  readonly instance: "current" | "previous" | "gone";
  /** What was written from then on is of a newer run; null: nothing is. */
  readonly nextStartedAtMs: number | null;
}

/** After the log has ended in good order the run is over, as a rule, and the pod's status will say so. */
const AFTER_END_MS = 3_000;
/** A log of which nothing came for so long has nothing more to come, or its connection is dead. */
const SILENCE_MS = 2_000;
const POLL_MS = 200;
/** So long the rest of a log is asked for. */
const MOST_FINISH_MS = 30_000;

/** Whether the right to read that log is missing: this is asked before anybody waits for it. */
export async function mayNotReadLog(connection: Connection, { namespace, pod, container }: LogPlace): Promise<boolean> {
  const query = { container, tailLines: "1", limitBytes: "1" };
  return connection.get(logPath(namespace, pod), { query, isOptional: true, parse: (text) => text }).then(
    () => false,
    (error: unknown) => isForbidden(error),
  );
}

function logPath(namespace: string, pod: string): string {
  return `${collectionPath("Pod", namespace)}/${inPath(pod)}/log`;
}

/** Reads the log of one run from its first line to its end, through all that happens to the connection. */
export class LogFollower {
  readonly #connection: Connection;
  readonly #place: LogPlace;
  readonly #lines: LogLines;
  /** The clock of the lines' arrival. */
  readonly #nowMs: () => number;
  readonly #timers: Timers;
  readonly #following = new AbortController();
  readonly #ending = new AbortController();
  #heardAtMs: number;
  #isReading = false;
  #isComplete = false;
  #missing: Missing["why"] | null = null;
  #failure: { readonly error: unknown } | null = null;

  constructor(connection: Connection, place: LogPlace, mostBytes: number, nowMs: () => number, timers: Timers) {
    this.#connection = connection;
    this.#place = place;
    this.#lines = new LogLines(mostBytes);
    this.#nowMs = nowMs;
    this.#timers = timers;
    this.#heardAtMs = timers.nowMs();
  }

  /** Follows the log until it is finished or stopped. */
  start(): void {
    this.#follow(this.#following.signal).catch((error) => {
      this.#failure = { error };
    });
  }

  /** What has been read. What it throws is a bug. */
  result(): CaughtLog {
    if (this.#failure !== null) throw this.#failure.error;
    const read = this.#lines.result();
    const missing = this.#missing ?? (this.#lines.isGone ? "not-found" : null);
    return { ...read, isComplete: this.#isComplete && missing === null, missing };
  }

  stop(): void {
    this.#following.abort();
    this.#ending.abort();
  }

  /** The run is over: reads what is left of its log, and stops. `run` is asked again before each attempt. */
  async finish(run: () => EndedRun): Promise<void> {
    const untilMs = this.#timers.nowMs() + MOST_FINISH_MS;
    const { signal } = this.#ending;
    // What is being read may come from a file that the kubelet has put aside: it is read as long as more comes.
    while (this.#isReading && this.#timers.nowMs() - this.#heardAtMs < SILENCE_MS && !signal.aborted) {
      await sleep(this.#timers, POLL_MS, signal);
    }
    this.#following.abort();
    const retry = new PoliteRetry();
    while (this.#missing === null && !signal.aborted && this.#timers.nowMs() < untilMs) {
      const beganAtMs = this.#timers.nowMs();
      const { instance, nextStartedAtMs } = run();
      if (nextStartedAtMs !== null) this.#lines.cutFrom(nextStartedAtMs);
      if (instance === "gone") return this.#none();
      try {
        await this.#read(instance === "previous" ? { previous: "true" } : {}, signal);
        this.#isComplete = true;
        return;
      } catch (error) {
        this.#take(error);
        if (hasNone(error)) return this.#none();
      }
      await sleep(this.#timers, retry.nextMs(beganAtMs, this.#timers.nowMs(), this.#timers.random(), null), signal);
    }
  }

  #none(): void {
    if (this.#lines.result().lines.length === 0) this.#missing ??= "not-found";
  }

  async #follow(signal: AbortSignal): Promise<void> {
    const retry = new PoliteRetry();
    while (!signal.aborted && this.#missing === null) {
      const beganAtMs = this.#timers.nowMs();
      let pauseMs = AFTER_END_MS;
      try {
        await this.#read({ follow: "true" }, signal);
      } catch (error) {
        if (signal.aborted) return;
        this.#take(error);
        pauseMs = retry.nextMs(beganAtMs, this.#timers.nowMs(), this.#timers.random(), null);
      }
      await sleep(this.#timers, pauseMs, signal);
    }
  }

  #take(error: unknown): void {
    if (isForbidden(error)) this.#missing = whyMissing(error);
    else if (!isPassing(error)) throw error;
  }

  async #read(how: Readonly<Record<string, string>>, signal: AbortSignal): Promise<void> {
    const { namespace, pod, container } = this.#place;
    const { sinceTime } = this.#lines;
    const stream = await this.#connection.stream(logPath(namespace, pod), {
      query: { container, timestamps: "true", ...how, ...(sinceTime !== null && { sinceTime }) },
      signal,
      ...("follow" in how && { timeoutMs: 0 }),
    });
    const forgetJumps = this.#timers.onJump?.(() => stream.close());
    this.#isReading = true;
    this.#heard();
    this.#lines.begin();
    try {
      for await (const piece of stream.pieces) {
        this.#heard();
        this.#lines.take(piece, this.#nowMs());
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

/** The pod is gone, or its kubelet has no such instance (which it says with 400). */
function hasNone(error: unknown): boolean {
  return error instanceof RequestFailure && (error.kind === "not-found" || error.status === 400);
}
