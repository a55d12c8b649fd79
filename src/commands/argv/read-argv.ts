/** As much of a flag's definition as it takes to find its value. */
export interface FlagShape {
  readonly name: string;
  /** boolean: without a value. */
  readonly type: "boolean" | "option";
  readonly char?: string | undefined;
  /** Whether it may be given again. */
  readonly multiple?: boolean | undefined;
}

/** The shapes of flags as oclif has them defined. */
export function shapesOf(flags: Readonly<Record<string, Omit<FlagShape, "name">>>): FlagShape[] {
  return Object.entries(flags).map(([name, { type, char, multiple }]) => ({ name, type, char, multiple }));
}

/** A part of a command line. */
export type Part<Shape extends FlagShape = FlagShape> =
  | { readonly kind: "word"; readonly text: string; readonly written: readonly string[] }
  /** `value`: as it is given; null without one, where the line ends or "--" follows. */
  | { readonly kind: "flag"; readonly flag: Shape; readonly value: string | null; readonly written: readonly string[] }
  /** "unknown": a flag that no shape has. "rest": "--" and all that follows. */
  | { readonly kind: "unknown" | "rest"; readonly written: readonly string[] };

/**
 * Reads arguments as oclif's parser does: `--namespace prod`, `--namespace=prod`, `-n prod`, `-n=prod`, `-nprod`, and switches
 * behind one dash, which become parts of their own. Of two shapes with the same name the first one counts.
 */
export function partsOf<Shape extends FlagShape>(argv: readonly string[], shapes: readonly Shape[]): Part<Shape>[] {
  const parts: Part<Shape>[] = [];
  const left = [...argv];
  for (let argument = left.shift(); argument !== undefined; argument = left.shift()) {
    if (argument === "--") return [...parts, { kind: "rest", written: [argument, ...left] }];
    const dashed = /^(?<head>--[^=]+|-[^-])(?<tail>.*)$/s.exec(argument)?.groups;
    if (!argument.startsWith("-") || argument === "-") {
      parts.push({ kind: "word", text: argument, written: [argument] });
      continue;
    }
    const { head = "", tail = "" } = dashed ?? {};
    const flag = shapes.find(({ name, char }) => head === `--${name}` || head === `-${char}`);
    if (flag === undefined) parts.push({ kind: "unknown", written: [argument] });
    else if (flag.type === "boolean" && tail !== "" && !tail.startsWith("=")) {
      parts.push({ kind: "flag", flag, value: null, written: [head] });
      left.unshift(`-${tail}`);
    } else {
      const next = flag.type === "option" && tail === "" && left[0] !== "--" ? left.splice(0, 1) : [];
      const value = tail === "" ? (next[0] ?? null) : tail.replace(/^=/, "");
      parts.push({ kind: "flag", flag, value, written: [argument, ...next] });
    }
  }
  return parts;
}
