/** The value that this share (between 0 and 1) of the values does not exceed; 0.5 gives the median. NaN of no values. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((left, right) => left - right);
  const index = Math.max(Math.ceil(share * sorted.length) - 1, 0);
  return sorted[index] ?? Number.NaN;
}
