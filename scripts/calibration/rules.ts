import RULES_OF_FILES from "./rules.json" with { type: "json" };

/**
 * A rule of the model. Scripts change the source of the model while it is loaded, so that the model needs no switches.
 */
interface Rule {
  readonly name: string;
  readonly what: string;
  readonly file: string;
  /** A text that occurs once in `file`, and that `without` replaces. */
  readonly text: string;
  readonly without: string;
  /** Why the rule stays, although the recordings do not show its worth. */
  readonly stays?: string;
}

export const RULES: readonly Rule[] = Object.entries(RULES_OF_FILES).flatMap(([file, rules]) =>
  Object.entries(rules).map(([name, rule]) => ({ name, file, ...rule })),
);

export function isRule(name: string): boolean {
  return RULES.some((rule) => rule.name === name);
}

export function sourceWithout(names: readonly string[], file: string, source: string): string {
  const left = RULES.filter((rule) => rule.file === file && names.includes(rule.name));
  return left.reduce((changed, { text, without }) => {
    if (changed.split(text).length !== 2) throw new Error(`${file} does not have this once: ${text}`);
    return changed.replace(text, () => without);
  }, source);
}
