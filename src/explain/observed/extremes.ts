/** The largest of any number of numbers, `least` if there is none larger: `Math.max(...)` fails beyond some 100,000. */
export function greatestOf(numbers: Iterable<number>, least = Number.NEGATIVE_INFINITY): number {
  let greatest = least;
  for (const number of numbers) if (number > greatest) greatest = number;
  return greatest;
}

/** The smallest of them, `most` if there is none smaller. */
export function leastOf(numbers: Iterable<number>, most = Number.POSITIVE_INFINITY): number {
  let least = most;
  for (const number of numbers) if (number < least) least = number;
  return least;
}
