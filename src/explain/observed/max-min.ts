/** `Math.max(...numbers)` throws a RangeError for very many numbers. */
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
