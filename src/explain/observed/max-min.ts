/**
 * Returns the largest of `numbers` and `least`. Unlike `Math.max(...numbers)`, works with more than 100,000 numbers.
 */
export function greatestOf(numbers: Iterable<number>, least = Number.NEGATIVE_INFINITY): number {
  let greatest = least;
  for (const number of numbers) if (number > greatest) greatest = number;
  return greatest;
}

export function leastOf(numbers: Iterable<number>, most = Number.POSITIVE_INFINITY): number {
  let least = most;
  for (const number of numbers) if (number < least) least = number;
  return least;
}
