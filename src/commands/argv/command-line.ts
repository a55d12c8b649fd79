import { argumentParts, type FlagShape, type Part, plainWords } from "./kubectl-syntax.ts";

export type CommandShapes = Readonly<Record<string, { readonly flags: readonly FlagShape[] }>>;

export interface CommandLine {
  readonly command: string;
  /** False if the user typed no command. Then `command` is "explain", "list" or, because of --help, "help". */
  readonly isNamed: boolean;
  readonly parts: readonly Part[];
  /** The words of `parts` before any "--". */
  readonly words: readonly string[];
}

export const HELP = { name: "help", char: "h", type: "boolean" } as const satisfies FlagShape;

export const UNNAMED_COMMAND = "explain";
/** The command that runs without arguments, or if all arguments are its flags and none is in `NAMING`. */
export const WITHOUT_TARGET = "list";

/** Flags of `list` and `explain`. Without a command, they mean `explain`. */
const NAMING: ReadonlySet<string> = new Set(["selector", "filename"]);

/**
 * Returns the flags of all commands. Those of `explain` come first, because `argumentParts` uses the first of two flags
 * with the same name, and the user may omit the word `explain`.
 */
export function allFlags<Shape extends FlagShape>(
  commands: Readonly<Record<string, { readonly flags: readonly Shape[] }>>,
): Shape[] {
  return [...(commands[UNNAMED_COMMAND]?.flags ?? []), ...Object.values(commands).flatMap(({ flags }) => flags)];
}

/**
 * Finds the command, which users also write after flags (`-n prod explain web-0`). If the first word is not a command,
 * the command is `explain`. Without words, it is `version` or `help` with that flag, `list` without arguments or with
 * only flags of `list` other than --selector and --filename, and else `explain`.
 */
export function readCommandLine(argv: readonly string[], commands: CommandShapes): CommandLine {
  const parts = argumentParts<FlagShape>(argv, [...allFlags(commands), HELP]);
  const [word, ...others] = plainWords(parts);
  if (word === undefined) return withoutWords(parts, commands);
  if (word !== "help" && !Object.hasOwn(commands, word))
    return { command: UNNAMED_COMMAND, isNamed: false, parts, words: [word, ...others] };
  const index = parts.findIndex(({ kind }) => kind === "word");
  return { command: word, isNamed: true, parts: parts.toSpliced(index, 1), words: others };
}

function withoutWords(parts: readonly Part[], commands: CommandShapes): CommandLine {
  const isVersion = parts.some((part) => part.kind === "unknown" && part.written === "--version");
  if (isVersion) return { command: "version", isNamed: true, parts: [], words: [] };
  const ofList = (commands[WITHOUT_TARGET]?.flags ?? []).map(({ name }) => name).filter((name) => !NAMING.has(name));
  const isForList = parts.every((part) => part.kind === "flag" && ofList.includes(part.flag.name));
  const target = isForList ? WITHOUT_TARGET : UNNAMED_COMMAND;
  return { command: isHelpWanted(parts) ? "help" : target, isNamed: false, parts, words: [] };
}

export function isHelpWanted(parts: readonly Part[]): boolean {
  return parts.some((part) => part.kind === "flag" && part.flag.name === HELP.name);
}
