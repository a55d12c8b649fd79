import type { Evidence } from "./explanation.ts";

/** An instant in a sentence, as the JSON form writes it; renderers put it into the reader's zone. */
export function instantIn(atMs: number): string {
  return new Date(atMs).toISOString().replace(/\.\d+Z$/, "Z");
}

const UNITS = [
  { unit: "d", ms: 86_400_000, from: 2 * 86_400_000 },
  { unit: "h", ms: 3_600_000, from: 2 * 3_600_000 },
  { unit: "m", ms: 60_000, from: 2 * 60_000 },
  { unit: "s", ms: 1_000, from: 0 },
] as const;

/** An age in one unit, cut: "90s", "11m", "3h", "5d". */
export function ageIn(ms: number): string {
  const { unit, ms: size } = UNITS.find(({ from }) => ms >= from) ?? UNITS[3];
  return `${Math.max(0, Math.floor(ms / size))}${unit}`;
}

/** "one pod", "3 pods"; of none "no pods". */
export function countOf(count: number, noun: string): string {
  if (count === 0) return `no ${noun}s`;
  return count === 1 ? `one ${noun}` : `${count} ${noun}s`;
}

/** Something that an object says itself. */
export function seen(rule: string, text: string): Evidence {
  return { basis: "seen", rule, text };
}

/** Something that follows from what objects say and from what their controllers are known to do. */
export function concluded(rule: string, text: string): Evidence {
  return { basis: "inferred", rule, text };
}
