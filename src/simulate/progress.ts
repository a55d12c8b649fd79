/** How far a long simulation is. */
export interface Progress {
  /** From 0 to 1. */
  readonly done: number;
  /** What is being simulated, in a few words. */
  readonly doing: string;
}
