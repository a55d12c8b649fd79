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
