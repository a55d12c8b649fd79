/** However much is asked for, an API server has no more than this of our requests to answer at once. */
export const MOST_IN_FLIGHT = 10;

/** A room with so many places: does what it is given as soon as one is free, and keeps the place until that has settled. */
export function places(count: number): <Result>(visit: () => Promise<Result>) => Promise<Result> {
  const waiting: (() => void)[] = [];
  let free = count;
  const leave = (): void => {
    const next = waiting.shift();
    if (next === undefined) free++;
    else next();
  };
  return async (visit) => {
    if (free > 0) free--;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await visit();
    } finally {
      leave();
    }
  };
}
