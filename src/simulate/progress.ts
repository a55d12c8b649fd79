/** The progress of a long simulation. */
export interface Progress {
  /** From 0 to 1. */
  readonly done: number;
  /** The present part, e.g. "full, 100 clients". */
  readonly doing: string;
}
