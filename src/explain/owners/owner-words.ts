import type { Evidence } from "../answer/explanation.ts";

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
