import { FAILURES } from "./error-failures.ts";
import { USAGES } from "./error-usages.ts";
import { printableValue, withoutLogins } from "./error-words.ts";

/** A name or a message that somebody made up, as it can be printed. */
export { printable } from "./error-words.ts";

const CATALOGUE = { ...FAILURES, ...USAGES };

/** The name of a message in the catalogue. */
export type UserErrorCode = keyof typeof CATALOGUE;

/** Something that the user can put right: printed as it is, without a stack. Everything else that is thrown is a bug. */
export class UserError<Code extends UserErrorCode = UserErrorCode> extends Error {
  override readonly name = "UserError";
  readonly code: Code;
  /** 1: it failed; 2: wrong usage. */
  readonly exitCode: 1 | 2;
  /** The same as `message`, which oclif rewrites when it passes by. */
  readonly text: string;

  constructor(code: Code, ...values: Parameters<(typeof CATALOGUE)[Code]>) {
    const compose = CATALOGUE[code] as (...values: readonly unknown[]) => string;
    const text = compose(...values.map(withoutLogins).map(printableValue));
    super(text);
    this.code = code;
    this.exitCode = code in USAGES ? 2 : 1;
    this.text = text;
  }
}
