/** However much is asked for, an API server has no more than this of our requests to answer at once. */
export const MOST_IN_FLIGHT = 10;

/** A room with so many places: waits for one, and gives what leaves it. */
export function places(count: number): () => Promise<() => void> {
  const waiting: (() => void)[] = [];
  let free = count;
  const leave = (): void => {
    const next = waiting.shift();
    if (next === undefined) free++;
    else next();
  };
  return async () => {
    if (free > 0) free--;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    return leave;
  };
}
