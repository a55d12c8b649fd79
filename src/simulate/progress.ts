export interface Progress {
  /** From 0 to 1. */
  readonly done: number;
  /** The part that runs now, e.g. "full, 100 clients". */
  readonly doing: string;
}
