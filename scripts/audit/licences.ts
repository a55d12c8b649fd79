export const BUNDLED_LICENCES = [
  "MIT",
  "ISC",
  "Apache-2.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "0BSD",
  "Unlicense",
] as const;

/** Evaluates an SPDX expression with OR, AND and parentheses that are not nested. */
export function isAllowed(expression: string, allowed: readonly string[]): boolean {
  const text = expression.trim();
  const inner = /^\(([^()]*)\)$/.exec(text)?.[1];
  if (inner !== undefined) return isAllowed(inner, allowed);
  const choices = text.split(/ OR (?![^(]*\))/);
  if (choices.length > 1) return choices.some((choice) => isAllowed(choice, allowed));
  const parts = text.split(/ AND (?![^(]*\))/);
  if (parts.length > 1) return parts.every((part) => isAllowed(part, allowed));
  return allowed.includes(text);
}
