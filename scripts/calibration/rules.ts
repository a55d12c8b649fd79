import RULES_OF_FILES from "./rules.json" with { type: "json" };

/**
 * A rule or a term of the model that `npm run calibrate -- FOLDER --without RULE` and `npm run ablation` can leave out. Its
 * source is changed while it is loaded, so that the model itself needs no switches.
 */
interface Rule {
  readonly name: string;
  readonly what: string;
  /** A source of the model, e.g. "src/explain/history/unobserved-period.ts". */
  readonly file: string;
  /** A text that occurs once in the file, and what replaces it. */
  readonly text: string;
  readonly without: string;
  /** What needs the rule although it moves no answer about the recordings. */
  readonly stays?: string;
}

export const RULES: readonly Rule[] = Object.entries(RULES_OF_FILES).flatMap(([file, rules]) =>
  Object.entries(rules).map(([name, rule]) => ({ name, file, ...rule })),
);

export function isRule(name: string): boolean {
  return RULES.some((rule) => rule.name === name);
}

/** Returns the source of `file` without the rules of these names. Throws if the source does not have a rule's text once. */
export function sourceWithout(names: readonly string[], file: string, source: string): string {
  const left = RULES.filter((rule) => rule.file === file && names.includes(rule.name));
  return left.reduce((changed, { text, without }) => {
    if (changed.split(text).length !== 2) throw new Error(`${file} does not have this once: ${text}`);
    return changed.replace(text, () => without);
  }, source);
}
