import type { RandomSource } from "../backoff/backoff.ts";
import type { Curve } from "../backoff/curve.ts";
import type { SleepStrategy } from "../backoff/jitter-strategies.ts";

/** A message takes the absolute value of a normally distributed time with this mean and this standard deviation. */
export interface Network {
  readonly meanMs: number;
  readonly sdMs: number;
}

export interface ContentionConditions extends Curve {
  readonly network: Network;
}

interface ContentionRun {
  /** When the last client learns that its write succeeded. */
  readonly completionMs: number;
  /** Failed writes count, too. */
  readonly calls: number;
}

export interface ContentionCall {
  /** When the write reaches the server. */
  readonly atMs: number;
  readonly client: number;
  readonly succeeded: boolean;
}

const NOT_READ = -1;

/**
 * Runs the experiment of aws-samples/aws-arch-backoff-simulator once. Each client reads the version of a row and writes
 * the row. If another client has written the row in between, the client sleeps and reads again.
 */
export function runContention(
  clients: number,
  strategy: SleepStrategy,
  conditions: ContentionConditions,
  random: RandomSource,
  onCall?: (call: ContentionCall) => void,
): ContentionRun {
  const hop = messageHops(conditions.network, random);
  const sleepOf = sleeps(clients, strategy, conditions, random);
  const queue = new ContentionQueue(Array.from({ length: clients }, hop));
  const versionsRead = new Int32Array(clients).fill(NOT_READ);
  let [version, completionMs, calls] = [0, 0, 0];
  while (queue.firstAtMs < Number.POSITIVE_INFINITY) {
    const { firstClient: client, firstAtMs: atMs } = queue;
    const read = versionsRead[client] ?? NOT_READ;
    versionsRead[client] = read === NOT_READ ? version : NOT_READ;
    if (read === NOT_READ) {
      queue.replaceFirst(atMs + hop() + hop());
      continue;
    }
    const succeeded = read === version;
    const answeredMs = atMs + hop();
    completionMs = Math.max(completionMs, answeredMs);
    calls++;
    onCall?.({ atMs, client, succeeded });
    if (succeeded) {
      version++;
      queue.replaceFirst(Number.POSITIVE_INFINITY);
    } else {
      const sleepMs = sleepOf(client);
      queue.replaceFirst(answeredMs + hop() + sleepMs);
    }
  }
  return { completionMs, calls };
}

function sleeps(
  clients: number,
  strategy: SleepStrategy,
  curve: Curve,
  random: RandomSource,
): (client: number) => number {
  const failures = new Int32Array(clients);
  const previousMs = new Float64Array(clients).fill(curve.initialMs);
  return (client) => {
    // As in the original experiment, the first failure is attempt 1.
    const attempt = (failures[client] ?? 0) + 1;
    failures[client] = attempt;
    const sleepMs = strategy(attempt, previousMs[client] ?? 0, curve, random);
    previousMs[client] = sleepMs;
    return sleepMs;
  };
}

/**
 * Returns a function that draws the duration of a message by Marsaglia's polar method. `Math.log` is avoided: its
 * last digit, and with it the order of two messages, may differ between machines.
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

/**
 * Returns ln of a number in (0, 1] to about 15 digits. The number is m · 2^-`halvings`, and
 * ln m = 2·artanh((m − 1)/(m + 1)).
 */
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

/** The absolute value of `ratio` is below 0.172, so the first term that the series leaves out is below 10^-17. */
const LAST_POWER = 21;

/**
 * A binary heap with the next event of each client. A client that is done has its next event at infinity. The clients'
 * numbers order events at the same instant.
 */
export class ContentionQueue {
  readonly #atMs: Float64Array;
  readonly #client: Int32Array;

  constructor(firstMs: readonly number[]) {
    const ordered = [...firstMs.entries()].sort(([, one], [, other]) => one - other);
    this.#atMs = Float64Array.from(ordered, ([, atMs]) => atMs);
    this.#client = Int32Array.from(ordered, ([client]) => client);
  }

  get firstAtMs(): number {
    return this.#atMs[0] ?? Number.POSITIVE_INFINITY;
  }

  get firstClient(): number {
    return this.#client[0] ?? Number.NaN;
  }

  replaceFirst(atMs: number): void {
    const client = this.firstClient;
    const size = this.#atMs.length;
    let index = 0;
    for (;;) {
      let child = 2 * index + 1;
      if (child >= size) break;
      if (child + 1 < size && this.#isLater(child, this.#atMs[child + 1] ?? 0, this.#client[child + 1] ?? 0)) child++;
      if (this.#isLater(child, atMs, client)) break;
      this.#put(index, this.#atMs[child] ?? 0, this.#client[child] ?? 0);
      index = child;
    }
    this.#put(index, atMs, client);
  }

  #isLater(index: number, atMs: number, client: number): boolean {
    const otherMs = this.#atMs[index] ?? 0;
    return otherMs > atMs || (otherMs === atMs && (this.#client[index] ?? 0) > client);
  }

  #put(index: number, atMs: number, client: number): void {
    this.#atMs[index] = atMs;
    this.#client[index] = client;
  }
}
