export interface FlagShape {
  readonly name: string;
  readonly type: "boolean" | "option";
  readonly char?: string | undefined;
  readonly multiple?: boolean | undefined;
  /** The flag's value if the user writes the flag without a value, like `NoOptDefVal` of pflag. */
  readonly valueIfNone?: string | undefined;
}

export function shapesOf(flags: Readonly<Record<string, Omit<FlagShape, "name">>>): FlagShape[] {
  return Object.entries(flags).map(([name, { type, char, multiple, valueIfNone }]) => ({
    ...{ name, type, char, multiple, valueIfNone },
  }));
}

export type Part<Shape extends FlagShape = FlagShape> =
  | { readonly kind: "word"; readonly text: string }
  | {
      readonly kind: "flag";
      readonly flag: Shape;
      readonly value: string | null;
      readonly written: string;
    }
  | { readonly kind: "unknown"; readonly written: string }
  /** The arguments after "--" are words, even if they look like flags or commands. */
  | { readonly kind: "rest"; readonly words: readonly string[] };

/**
 * Reads e.g. `--namespace prod`, `--namespace=prod`, `-n prod`, `-n=prod`, `-nprod` and `-Aw`. Unlike pflag, never
 * takes a known flag as the value of the flag before it.
 */
export function argumentParts<Shape extends FlagShape>(
  argv: readonly string[],
  shapes: readonly Shape[],
): Part<Shape>[] {
  const parts: Part<Shape>[] = [];
  const left = [...argv];
  const valueIn = (text: string | undefined): string | null =>
    text === undefined || text === "--" || flagIn(text, shapes).flag !== undefined ? null : text;
  for (let written = left.shift(); written !== undefined; written = left.shift()) {
    if (written === "--") return [...parts, { kind: "rest", words: left }];
    const { flag, tail } = flagIn(written, shapes);
    const inline = tail === "" ? null : tail.replace(/^=/, "");
    if (!written.startsWith("-") || written === "-") parts.push({ kind: "word", text: written });
    else if (flag === undefined) parts.push({ kind: "unknown", written });
    else if (needsValue(flag)) {
      const value = valueIn(inline ?? left[0]);
      if (inline === null && value !== null) left.shift();
      parts.push({ kind: "flag", flag, value, written });
    } else if (tail === "" || tail.startsWith("=")) parts.push({ kind: "flag", flag, value: inline, written });
    else {
      parts.push({ kind: "flag", flag, value: null, written });
      left.unshift(`-${tail}`);
    }
  }
  return parts;
}

export function needsValue({ type, valueIfNone }: FlagShape): boolean {
  return type === "option" && valueIfNone === undefined;
}

/** The tail of "-n=prod" is "=prod", and the tail of "-Aw" is "w". */
function flagIn<Shape extends FlagShape>(argument: string, shapes: readonly Shape[]) {
  const { head, tail = "" } = /^(?<head>--[^=]+|-[^-])(?<tail>.*)$/s.exec(argument)?.groups ?? {};
  return { flag: shapes.find(({ name, char }) => head === `--${name}` || head === `-${char}`), tail };
}

export function plainWords(parts: readonly Part[]): string[] {
  return parts.flatMap((part) => (part.kind === "word" ? [part.text] : []));
}
