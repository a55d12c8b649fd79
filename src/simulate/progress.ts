export interface Progress {
  /** From 0 to 1. */
  readonly done: number;
  /** The strategy and the number of clients that run now, e.g. "full, 100 clients". */
  readonly doing: string;
}
