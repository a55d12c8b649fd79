import type { RandomSource } from "../backoff/backoff.ts";
import type { SleepLimits, SleepStrategy } from "../backoff/jitter-strategies.ts";

/** What all runs of the experiment have in common. */
export interface ContentionConditions extends SleepLimits {
  readonly network: Network;
}

/** How one run went. */
interface ContentionRun {
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

/** How long messages take: |normal(mean, sd)|. */
export interface Network {
  readonly meanMs: number;
  readonly sdMs: number;
}

/**
 * How long each message takes that travels over the network, one after another. Marsaglia's polar method, in operations that
 * IEEE 754 rounds alike on every machine: `Math.log` may differ in its last digit, and so could the order of two messages.
 */
export function messageHops({ meanMs, sdMs }: Network, random: RandomSource): () => number {
  let spare: number | undefined;
  return () => {
    if (spare !== undefined) {
      const deviation = spare;
      spare = undefined;
      return Math.abs(meanMs + sdMs * deviation);
    }
    let x: number;
    let y: number;
    let square: number;
    do {
      x = 2 * random() - 1;
      y = 2 * random() - 1;
      square = x * x + y * y;
    } while (square >= 1 || square === 0);
    const scale = Math.sqrt((-2 * naturalLogarithm(square)) / square);
    spare = y * scale;
    return Math.abs(meanMs + sdMs * x * scale);
  };
}

/** The logarithm of a number in (0, 1], to about 15 digits: ln(2^-e · m) with the series of 2·artanh((m − 1)/(m + 1)). */
export function naturalLogarithm(value: number): number {
  let halvings = 0;
  let mantissa = value;
  while (mantissa < Math.SQRT1_2) {
    mantissa *= 2;
    halvings++;
  }
  const ratio = (mantissa - 1) / (mantissa + 1);
  const square = ratio * ratio;
  let series = 0;
  for (let power = LAST_POWER; power > 0; power -= 2) series = series * square + 1 / power;
  return 2 * ratio * series - halvings * Math.LN2;
}

/** |ratio| is below 0.172, so the next term is below 10^-17. */
const LAST_POWER = 21;

/**
 * What happens next, where each of a number of clients has one event ahead: a binary heap over two flat arrays. Of events at
 * the same instant the client with the lower number comes first.
 */
export class ContentionQueue {
  readonly #atMs: Float64Array;
  readonly #client: Int32Array;
  #size = 0;

  constructor(capacity: number) {
    this.#atMs = new Float64Array(capacity);
    this.#client = new Int32Array(capacity);
  }

  /** How many clients have an event ahead. */
  get size(): number {
    return this.#size;
  }

  /** The instant of the first event; NaN if there is none. */
  get firstAtMs(): number {
    return this.#size === 0 ? Number.NaN : (this.#atMs[0] ?? Number.NaN);
  }

  /** Whose the first event is; -1 if there is none. */
  get firstClient(): number {
    return this.#size === 0 ? -1 : (this.#client[0] ?? -1);
  }

  /** Adds a client's event. */
  add(atMs: number, client: number): void {
    let index = this.#size++;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (!this.#isLater(parent, atMs, client)) break;
      this.#move(parent, index);
      index = parent;
    }
    this.#put(index, atMs, client);
  }

  /** The first event has happened; the same client's next one is at `atMs`. */
  replaceFirst(atMs: number): void {
    this.#sink(atMs, this.firstClient);
  }

  /** The first event has happened, and its client has no other. */
  removeFirst(): void {
    if (this.#size === 0) return;
    const last = --this.#size;
    if (last > 0) this.#sink(this.#atMs[last] ?? 0, this.#client[last] ?? 0);
  }

  #sink(atMs: number, client: number): void {
    const size = this.#size;
    let index = 0;
    for (;;) {
      let child = 2 * index + 1;
      if (child >= size) break;
      if (child + 1 < size && this.#isLater(child, this.#atMs[child + 1] ?? 0, this.#client[child + 1] ?? 0)) child++;
      if (this.#isLater(child, atMs, client)) break;
      this.#move(child, index);
      index = child;
    }
    this.#put(index, atMs, client);
  }

  #isLater(index: number, atMs: number, client: number): boolean {
    const otherMs = this.#atMs[index] ?? 0;
    return otherMs > atMs || (otherMs === atMs && (this.#client[index] ?? 0) > client);
  }

  #move(from: number, to: number): void {
    this.#put(to, this.#atMs[from] ?? 0, this.#client[from] ?? 0);
  }

  #put(index: number, atMs: number, client: number): void {
    this.#atMs[index] = atMs;
    this.#client[index] = client;
  }
}
