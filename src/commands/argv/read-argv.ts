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

/** The commands that there are, each with its flags. */
export type CommandShapes = Readonly<Record<string, { readonly flags: readonly FlagShape[] }>>;

const HELP = ["--help", "-h"];

/** The command whose name may be left out where a target follows. */
export const UNNAMED_COMMAND = "explain";
/** The command that no target stands for. */
const WITHOUT_TARGET = "list";

/** The flags of all commands; a flag of two commands counts as that of `explain`, which needs no name. */
export function allFlags<Shape extends FlagShape>(
  commands: Readonly<Record<string, { readonly flags: readonly Shape[] }>>,
): Shape[] {
  return [...(commands[UNNAMED_COMMAND]?.flags ?? []), ...Object.values(commands).flatMap(({ flags }) => flags)];
}

/**
 * Puts the command first, as oclif wants it: kubectl's users write flags anywhere (`-n prod explain web-0`), and leave out
 * `explain`. What is no command is the name of a pod, `help COMMAND` is `COMMAND --help`, `--version` is `version`. Nothing, or
 * nothing but flags of `list` that choose no pods, is `list`.
 */
export function rewriteArgv(argv: readonly string[], commands: CommandShapes): [string, ...string[]] {
  const parts = partsOf(argv, allFlags(commands));
  const index = parts.findIndex(({ kind }) => kind === "word");
  const leading = index === -1 ? parts : parts.slice(0, index);
  const before = leading.flatMap(({ written }) => written);
  const [word, ...after] = index === -1 ? [] : parts.slice(index).flatMap(({ written }) => written);
  if (word === "help")
    return after[0] !== undefined && isCommand(after[0], commands) ? [after[0], "--help"] : ["--help"];
  if (word !== undefined && isCommand(word, commands)) return [word, ...before, ...after];
  if (word === undefined && before.includes("--version")) return ["version"];
  if (word === undefined && before.some((flag) => HELP.includes(flag))) return ["--help"];
  // A selector chooses pods to explain.
  const ofList = (commands[WITHOUT_TARGET]?.flags ?? []).map(({ name }) => name).filter((name) => name !== "selector");
  const isForList = leading.every((part) => part.kind === "flag" && ofList.includes(part.flag.name));
  return [word === undefined && isForList ? WITHOUT_TARGET : UNNAMED_COMMAND, ...argv];
}

/** Whether the arguments ask for help instead: anywhere before `--`, whatever else they say. */
export function isHelpWanted(argv: readonly string[]): boolean {
  const end = argv.indexOf("--");
  return argv.slice(0, end === -1 ? argv.length : end).some((argument) => HELP.includes(argument));
}

/** The words of a command line that is not rewritten yet. */
export function wordsIn(argv: readonly string[], commands: CommandShapes): string[] {
  return partsOf(argv, allFlags(commands)).flatMap((part) => (part.kind === "word" ? [part.text] : []));
}

function isCommand(word: string, commands: CommandShapes): boolean {
  return Object.hasOwn(commands, word);
}
