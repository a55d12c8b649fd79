import type { RandomSource } from "../backoff/backoff.ts";
import type { SleepLimits, SleepStrategy } from "../backoff/jitter-strategies.ts";
import { messageHops, type Network } from "./contention-network.ts";
import { ContentionQueue } from "./contention-queue.ts";

/** What all runs of the experiment have in common. */
export interface ContentionConditions extends SleepLimits {
  readonly network: Network;
}

/** How one run went. */
export interface ContentionRun {
  /** Until the last client has read that its write succeeded. */
  readonly completionMs: number;
  /** Writes that reached the server, whether they succeeded or not. */
  readonly calls: number;
}

/** A write that reached the server. */
export interface ContentionCall {
  readonly atMs: number;
  readonly client: number;
  readonly succeeded: boolean;
}

/**
 * One run of aws-samples/aws-arch-backoff-simulator's experiment: every client reads the row's version, writes it back and, if
 * another was faster, sleeps and reads again. It ends, for each success spoils at most one write of each other client.
 */
export function runContention(
  clients: number,
  strategy: SleepStrategy,
  conditions: ContentionConditions,
  random: RandomSource,
  onCall?: (call: ContentionCall) => void,
): ContentionRun {
  const row = new ContendedRow(clients, strategy, conditions, random);
  let calls = 0;
  while (row.isContended) {
    const call = row.advance();
    if (call === undefined) continue;
    calls++;
    onCall?.(call);
  }
  return { completionMs: row.completionMs, calls };
}

/** Versions count from 0. */
const NOT_READ = -1;

/** The events are reads and writes at the server; the ways between them are drawn when they begin. */
class ContendedRow {
  completionMs = 0;
  readonly #strategy: SleepStrategy;
  readonly #conditions: ContentionConditions;
  readonly #random: RandomSource;
  readonly #hop: () => number;
  readonly #queue: ContentionQueue;
  readonly #readVersion: Int32Array;
  readonly #failures: Int32Array;
  readonly #sleepMs: Float64Array;
  #version = 0;

  constructor(clients: number, strategy: SleepStrategy, conditions: ContentionConditions, random: RandomSource) {
    this.#strategy = strategy;
    this.#conditions = conditions;
    this.#random = random;
    this.#hop = messageHops(conditions.network, random);
    this.#queue = new ContentionQueue(clients);
    this.#readVersion = new Int32Array(clients).fill(NOT_READ);
    this.#failures = new Int32Array(clients);
    this.#sleepMs = new Float64Array(clients).fill(conditions.baseMs);
    for (let client = 0; client < clients; client++) this.#queue.add(this.#hop(), client);
  }

  get isContended(): boolean {
    return this.#queue.size > 0;
  }

  /** The next event: a call if it is a write. */
  advance(): ContentionCall | undefined {
    const client = this.#queue.firstClient;
    const atMs = this.#queue.firstAtMs;
    const read = this.#readVersion[client] ?? NOT_READ;
    if (read === NOT_READ) {
      this.#readVersion[client] = this.#version;
      this.#queue.replaceFirst(atMs + this.#hop() + this.#hop());
      return undefined;
    }
    const succeeded = read === this.#version;
    const answeredMs = atMs + this.#hop();
    this.completionMs = Math.max(this.completionMs, answeredMs);
    if (succeeded) this.#version++;
    if (succeeded) this.#queue.removeFirst();
    else this.#readAgain(client, answeredMs);
    return { atMs, client, succeeded };
  }

  #readAgain(client: number, answeredMs: number): void {
    this.#readVersion[client] = NOT_READ;
    // The first failure is attempt 1, as in the original: no strategy's attempt 0 is ever slept.
    const attempt = (this.#failures[client] ?? 0) + 1;
    this.#failures[client] = attempt;
    const sleepMs = this.#strategy(attempt, this.#sleepMs[client] ?? 0, this.#conditions, this.#random);
    this.#sleepMs[client] = sleepMs;
    this.#queue.replaceFirst(answeredMs + this.#hop() + sleepMs);
  }
}
