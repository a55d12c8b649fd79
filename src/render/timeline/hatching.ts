const STEP = 5;

/** Diagonal lines inside a box, as the data of a path: a pattern would need an id, and ids clash in a page of many pictures. */
export function hatching(left: number, top: number, right: number, bottom: number): string {
  const height = bottom - top;
  const lines: string[] = [];
  for (let x = left - height + STEP; x < right; x += STEP) {
    const [from, to] = [Math.max(x, left), Math.min(x + height, right)];
    if (to > from) lines.push(`M${round(from)} ${round(bottom - (from - x))}L${round(to)} ${round(bottom - (to - x))}`);
  }
  return lines.join("");
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
