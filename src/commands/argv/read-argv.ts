export interface FlagShape {
  readonly name: string;
  readonly type: "boolean" | "option";
  readonly char?: string | undefined;
  readonly multiple?: boolean | undefined;
}

export function shapesOf(flags: Readonly<Record<string, Omit<FlagShape, "name">>>): FlagShape[] {
  return Object.entries(flags).map(([name, { type, char, multiple }]) => ({ name, type, char, multiple }));
}

/** A part of a command line. `written` holds its arguments as the user typed them. */
export type Part<Shape extends FlagShape = FlagShape> =
  | { readonly kind: "word"; readonly text: string; readonly written: readonly string[] }
  /** `value` is null if the user typed none: for a boolean flag without "=true", or at the end of the command line. */
  | { readonly kind: "flag"; readonly flag: Shape; readonly value: string | null; readonly written: readonly string[] }
  /** A "rest" is "--" and all arguments after it. An "unknown" part is a flag that no shape has. */
  | { readonly kind: "unknown" | "rest"; readonly written: readonly string[] };

/**
 * Splits arguments as oclif's parser does: `--namespace prod`, `--namespace=prod`, `-n prod`, `-n=prod`, `-nprod`.
 * Splits boolean flags behind one dash (`-Aw`). If two of the `shapes` have the same name, uses the first.
 */
export function argumentParts<Shape extends FlagShape>(
  argv: readonly string[],
  shapes: readonly Shape[],
): Part<Shape>[] {
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

export type CommandShapes = Readonly<Record<string, { readonly flags: readonly FlagShape[] }>>;

const HELP = ["--help", "-h"];

/** The command whose name the user may omit before the name of a pod. */
export const UNNAMED_COMMAND = "explain";
/** The command that runs if the user names neither a command nor a pod. */
const WITHOUT_TARGET = "list";

/** Flags of `list` that name pods to explain if the user names no command. */
const NAMING: ReadonlySet<string> = new Set(["selector", "filename"]);

/** Returns the flags of all commands. Those of `explain` come first, because the user may omit the word `explain`. */
export function allFlags<Shape extends FlagShape>(
  commands: Readonly<Record<string, { readonly flags: readonly Shape[] }>>,
): Shape[] {
  return [...(commands[UNNAMED_COMMAND]?.flags ?? []), ...Object.values(commands).flatMap(({ flags }) => flags)];
}

/**
 * Puts the command first, as oclif expects it: users also write flags before it (`-n prod explain web-0`). A first word
 * that is not a command is the name of a pod to explain. `help COMMAND` becomes `COMMAND --help`; `--version` becomes
 * `version`; no arguments, or only flags of `list` without --selector and --filename, become `list`.
 */
export function rewriteArgv(argv: readonly string[], commands: CommandShapes): [string, ...string[]] {
  const parts = argumentParts(argv, allFlags(commands));
  const index = parts.findIndex(({ kind }) => kind === "word");
  const leading = index === -1 ? parts : parts.slice(0, index);
  const before = leading.flatMap(({ written }) => written);
  const [word, ...after] = index === -1 ? [] : parts.slice(index).flatMap(({ written }) => written);
  if (word === "help")
    return after[0] !== undefined && Object.hasOwn(commands, after[0]) ? [after[0], "--help"] : ["--help"];
  if (word !== undefined && Object.hasOwn(commands, word)) return [word, ...before, ...after];
  if (word === undefined && before.includes("--version")) return ["version"];
  if (word === undefined && before.some((flag) => HELP.includes(flag))) return ["--help"];
  const ofList = (commands[WITHOUT_TARGET]?.flags ?? []).map(({ name }) => name).filter((name) => !NAMING.has(name));
  const isForList = leading.every((part) => part.kind === "flag" && ofList.includes(part.flag.name));
  return [word === undefined && isForList ? WITHOUT_TARGET : UNNAMED_COMMAND, ...argv];
}

export function isHelpWanted(argv: readonly string[]): boolean {
  const end = argv.indexOf("--");
  return argv.slice(0, end === -1 ? argv.length : end).some((argument) => HELP.includes(argument));
}

export function wordsIn(argv: readonly string[], commands: CommandShapes): string[] {
  return argumentParts(argv, allFlags(commands)).flatMap((part) => (part.kind === "word" ? [part.text] : []));
}
