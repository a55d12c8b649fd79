import { argumentParts, type FlagShape, type Part, plainWords } from "./kubectl-syntax.ts";

export type CommandShapes = Readonly<Record<string, { readonly flags: readonly FlagShape[] }>>;

export interface CommandLine {
  readonly command: string;
  /** Whether the user typed the command. It may be omitted before the name of a pod. */
  readonly isNamed: boolean;
  readonly parts: readonly Part[];
  /** The words of `parts` before any "--". */
  readonly words: readonly string[];
}

export const HELP = { name: "help", char: "h", type: "boolean" } as const satisfies FlagShape;

export const UNNAMED_COMMAND = "explain";
/** The command that runs if the user names neither a command nor a pod. */
export const WITHOUT_TARGET = "list";

/** Flags of `list` that name pods to explain if the user names no command. */
const NAMING: ReadonlySet<string> = new Set(["selector", "filename"]);

/** Returns the flags of all commands. Those of `explain` come first, because the user may omit the word `explain`. */
export function allFlags<Shape extends FlagShape>(
  commands: Readonly<Record<string, { readonly flags: readonly Shape[] }>>,
): Shape[] {
  return [...(commands[UNNAMED_COMMAND]?.flags ?? []), ...Object.values(commands).flatMap(({ flags }) => flags)];
}

/**
 * Finds the command, which users also write after flags (`-n prod explain web-0`). A first word that is not a command
 * is the name of a pod to explain. Without words, `--version` is the command `version`, and `--help` is `help`. No
 * arguments, or only flags of `list` without --selector and --filename, mean `list`; other flags mean `explain`.
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
