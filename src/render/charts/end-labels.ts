/** A label that wants to be at some height. */
export interface EndLabel {
  readonly key: string;
  readonly text: string;
  readonly y: number;
}

/**
 * The labels, from the top down, moved as little as it takes for each to have `lineHeight` for itself, and none to be below
 * `bottom`.
 */
export function spreadLabels(labels: readonly EndLabel[], lineHeight: number, bottom: number): EndLabel[] {
  const spread = [...labels].sort((one, other) => one.y - other.y);
  let floor = Number.NEGATIVE_INFINITY;
  const pushedDown = spread.map((label) => {
    const y = Math.max(label.y, floor);
    floor = y + lineHeight;
    return { ...label, y };
  });
  let ceiling = bottom;
  return pushedDown
    .reverse()
    .map((label) => {
      const y = Math.min(label.y, ceiling);
      ceiling = y - lineHeight;
      return { ...label, y };
    })
    .reverse();
}
