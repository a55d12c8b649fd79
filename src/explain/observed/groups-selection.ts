/** How the pods of an observation were chosen among those that were meant. */
export interface Selection {
  /** How many pods the targets mean. */
  readonly matched: number;
  /** How many of them are left out, for they look fine. */
  readonly leftOutFine: number;
  /** How many of them are left out although they look like trouble, for there are too many. */
  readonly leftOutInTrouble: number;
  /** `NAMESPACE/NAME` of the pods that were asked for by name. */
  readonly named: readonly string[];
}
