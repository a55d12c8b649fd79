import {
  type BackoffEntry,
  type BackoffPolicy,
  hasExpired,
  isInBackOffSince,
  isInBackOffSinceUpdate,
  next,
  type RandomSource,
} from "../../src/backoff/backoff.ts";

interface BackoffSources {
  readonly nowMs: () => number;
  readonly random?: RandomSource;
}

/**
 * Mirrors `flowcontrol.Backoff` (client-go v0.37.1, util/flowcontrol/backoff.go), without a lock and with
 * `resetAfterMs` instead of HasExpiredFunc.
 */
export class Backoff {
  readonly #entries = new Map<string, BackoffEntry>();
  readonly #policy: BackoffPolicy;
  readonly #sources: BackoffSources;

  constructor(policy: BackoffPolicy, sources: BackoffSources) {
    this.#policy = policy;
    this.#sources = sources;
  }

  /** See `Get`. Returns the key's delay in ms, or 0 without a record. An expired record counts until `gc` drops it. */
  get(id: string): number {
    return this.#entries.get(id)?.delayMs ?? 0;
  }

  next(id: string, eventMs: number): void {
    const { nowMs, random } = this.#sources;
    this.#entries.set(id, next(this.#entries.get(id), eventMs, nowMs(), this.#policy, random));
  }

  isInBackOffSince(id: string, eventMs: number): boolean {
    return isInBackOffSince(this.#entries.get(id), eventMs, this.#sources.nowMs(), this.#policy);
  }

  isInBackOffSinceUpdate(id: string, eventMs: number): boolean {
    return isInBackOffSinceUpdate(this.#entries.get(id), eventMs, this.#policy);
  }

  reset(id: string): void {
    this.#entries.delete(id);
  }

  /** Mirrors `GC`. */
  gc(): void {
    const nowMs = this.#sources.nowMs();
    for (const [id, entry] of this.#entries) {
      if (hasExpired(entry, nowMs, this.#policy)) this.#entries.delete(id);
    }
  }

  deleteEntry(id: string): void {
    this.reset(id);
  }

  ids(): string[] {
    return [...this.#entries.keys()];
  }
}
