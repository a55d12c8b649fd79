/** The aim is that 95% of the predicted starts, attempts and kills come within their windows. */
export interface Window {
  readonly notBeforeMs: number;
  readonly likelyByMs: number;
}

export function windowFrom(notBeforeMs: number, likelyByMs: number): Window {
  return { notBeforeMs, likelyByMs: Math.max(notBeforeMs, likelyByMs) };
}

export const CONFIDENCE = 0.95;

/** The resolution of a {@link StartDistribution}. */
export const STEP_MS = 500;

const IMPOSSIBLE_SHARE = 1e-6;
const NEGLIGIBLE_SHARE = 1e-9;

/** An exponentially distributed delay, and the probability of this delay. The mean 0 stands for no delay. */
export interface Excess {
  readonly meanMs: number;
  readonly share: number;
}

export interface Lateness {
  readonly parts: readonly Excess[];
  /** An upper limit on the delay. */
  readonly longestMs: number;
}

/** The distribution of a container's start. A duration, e.g. of 5s, is represented as a start at 5s. */
export class StartDistribution {
  readonly #firstStep: number;
  /** Cumulative: the probability of a start before the end of each step. */
  readonly #by: Float64Array;

  private constructor(firstStep: number, by: Float64Array) {
    this.#firstStep = firstStep;
    this.#by = by;
  }

  static of(fromMs: number, shares: Float64Array): StartDistribution {
    let [first, end] = [0, shares.length];
    while (end > 0 && (shares[end - 1] ?? 0) <= 0) end--;
    while (first < end && (shares[first] ?? 0) <= 0) first++;
    const by = shares.slice(first, end);
    for (let step = 1; step < by.length; step++) by[step] = (by[step] ?? 0) + (by[step - 1] ?? 0);
    return new StartDistribution(stepAt(fromMs) + first, scaled(by, 0));
  }

  static evenly(fromMs: number, toMs: number): StartDistribution {
    const steps = Math.max(1, toMs / STEP_MS - stepAt(fromMs));
    // `toMs` can lie within the last step, which then gets a smaller share.
    const shares = Float64Array.from({ length: Math.ceil(steps) }, (_, step) => Math.min(1, steps - step));
    return StartDistribution.of(fromMs, shares);
  }

  static mixed(parts: readonly { readonly starts: StartDistribution; readonly weight: number }[]): StartDistribution {
    const [first, ...others] = parts;
    if (first !== undefined && others.length === 0) return first.starts;
    const total = parts.reduce((sum, { weight }) => sum + weight, 0);
    const firstStep = Math.min(...parts.map(({ starts }) => starts.#firstStep));
    const length = Math.max(...parts.map(({ starts }) => starts.#firstStep + starts.#by.length)) - firstStep;
    const by = new Float64Array(length);
    for (const { starts, weight } of parts)
      for (let step = starts.#firstStep - firstStep, own = 0; step < length; step++, own++)
        by[step] = (by[step] ?? 0) + (weight / total) * (starts.#by[own] ?? 1);
    return new StartDistribution(firstStep, scaled(by, 0));
  }

  static #tabulated(fromMs: number, toMs: number, by: (atMs: number) => number): StartDistribution {
    const steps = Math.max(1, (toMs - fromMs) / STEP_MS);
    const table = Float64Array.from({ length: steps }, (_, step) => by(fromMs + (step + 1) * STEP_MS));
    return new StartDistribution(stepAt(fromMs), scaled(table, 0));
  }

  get fromMs(): number {
    return this.#firstStep * STEP_MS;
  }

  get toMs(): number {
    return this.fromMs + this.#by.length * STEP_MS;
  }

  /** Returns the probability of a start before `atMs`, which is rounded down to a step. */
  by(atMs: number): number {
    const step = stepAt(atMs) - this.#firstStep;
    return step <= 0 ? 0 : (this.#by[step - 1] ?? 1);
  }

  quantile(share: number): number {
    const step = Math.max(
      0,
      this.#by.findIndex((reached) => reached >= share),
    );
    const before = this.#by[step - 1] ?? 0;
    return this.fromMs + (step + (share - before) / ((this.#by[step] ?? 1) - before)) * STEP_MS;
  }

  later(ms: number): StartDistribution {
    return new StartDistribution(this.#firstStep + Math.round(ms / STEP_MS), this.#by);
  }

  laterBy({ parts, longestMs }: Lateness): StartDistribution {
    const longest = Math.ceil(longestMs / STEP_MS) - 1;
    const length = this.#by.length + longest;
    const due = new Float64Array(length);
    for (let step = 0; step < this.#by.length; step++) due[step] = this.#shareOf(step);
    const starts = new Float64Array(length);
    for (const { meanMs, share } of parts) {
      const staying = meanMs === 0 ? 0 : Math.exp(-STEP_MS / meanMs);
      const stayingToTheEnd = staying ** longest;
      let late = 0;
      for (let step = 0; step < length; step++) {
        const last = step < longest ? 0 : stayingToTheEnd * (due[step - longest] ?? 0);
        late = late * staying + (due[step] ?? 0) - last;
        starts[step] = (starts[step] ?? 0) + share * (late * (1 - staying) + last);
      }
    }
    return StartDistribution.of(this.fromMs, starts);
  }

  /** Returns the distribution of the later of two independent starts. */
  withBoth(other: StartDistribution): StartDistribution {
    const fromMs = Math.max(this.fromMs, other.fromMs);
    const toMs = Math.max(this.toMs, other.toMs);
    return StartDistribution.#tabulated(fromMs, toMs, (atMs) => this.by(atMs) * other.by(atMs));
  }

  /** Returns the distribution of the earlier of two independent starts. */
  withEither(other: StartDistribution): StartDistribution {
    const fromMs = Math.min(this.fromMs, other.fromMs);
    const toMs = Math.min(this.toMs, other.toMs);
    return StartDistribution.#tabulated(fromMs, toMs, (atMs) => 1 - (1 - this.by(atMs)) * (1 - other.by(atMs)));
  }

  /**
   * Returns the distribution of the first start after `ready`, which must be independent of the starts. Earlier starts
   * fail. `gapAfter(n)` is the time from start n to the next start; the first start is start 0.
   */
  firstAfter(ready: StartDistribution, gapAfter: (starts: number) => StartDistribution): StartDistribution {
    const steps = Math.max(0, stepAt(ready.toMs) - this.#firstStep);
    const readyBy = Float64Array.from({ length: steps }, (_, step) => ready.by((this.#firstStep + step) * STEP_MS));
    const found: number[] = [];
    const add = (step: number, share: number): void => {
      found[step] = (found[step] ?? 0) + share;
    };
    let tries = this.#shares();
    for (const [step, share] of tries.entries()) add(step, share * (readyBy[step] ?? 1));
    for (let starts = 0; shareTooEarly(tries, readyBy) > IMPOSSIBLE_SHARE; starts++) {
      const gap = gapAfter(starts);
      const [least, shares] = [Math.max(1, gap.#firstStep), gap.#shares()];
      const next = new Float64Array(steps);
      for (let step = 0; step < Math.min(tries.length, steps); step++) {
        const share = tries[step] ?? 0;
        const before = readyBy[step] ?? 1;
        if (share * (1 - before) < NEGLIGIBLE_SHARE) continue;
        for (let more = 0; more < shares.length; more++) {
          const at = step + least + more;
          const both = share * (shares[more] ?? 0);
          if (at < steps) next[at] = (next[at] ?? 0) + both;
          add(at, both * ((readyBy[at] ?? 1) - before));
        }
      }
      tries = next;
    }
    return StartDistribution.of(
      this.fromMs,
      Float64Array.from(found, (share = 0) => share),
    );
  }

  /**
   * Returns the distribution under the condition that the start does not come before `notBeforeMs`. Returns null if
   * this condition is too unlikely.
   */
  given(notBeforeMs: number): StartDistribution | null {
    const gone = stepAt(notBeforeMs) - this.#firstStep;
    if (gone <= 0) return this;
    const before = this.by(notBeforeMs);
    return 1 - before < IMPOSSIBLE_SHARE
      ? null
      : new StartDistribution(this.#firstStep + gone, scaled(this.#by.slice(gone), before));
  }

  #shares(): Float64Array {
    return this.#by.map((_, step) => this.#shareOf(step));
  }

  #shareOf(step: number): number {
    return (this.#by[step] ?? 1) - (this.#by[step - 1] ?? 0);
  }
}

function shareTooEarly(shares: Float64Array, readyBy: Float64Array): number {
  return readyBy.reduce((sum, by, step) => sum + (shares[step] ?? 0) * (1 - by), 0);
}

function stepAt(atMs: number): number {
  return Math.floor(atMs / STEP_MS);
}

/** Scales cumulative probabilities, in place, so that `before` becomes 0 and the last probability becomes 1. */
function scaled(by: Float64Array, before: number): Float64Array {
  const total = (by.at(-1) ?? 1) - before;
  for (let step = 0; step < by.length; step++) by[step] = ((by[step] ?? 0) - before) / total;
  return by;
}
