import { argumentParts, type FlagShape, type Part, plainWords } from "./kubectl-syntax.ts";

export type CommandShapes = Readonly<Record<string, { readonly flags: readonly FlagShape[] }>>;

export interface CommandLine {
  readonly command: string;
  /** Whether the user typed the command's name, or --version for "version". */
  readonly isNamed: boolean;
  readonly parts: readonly Part[];
  /** Words after "--" are only in `parts`. */
  readonly words: readonly string[];
}

export const HELP_FLAG = { name: "help", char: "h", type: "boolean" } as const satisfies FlagShape;

export const DEFAULT_COMMAND = "explain";
export const COMMAND_WITHOUT_TARGET = "list";

/** Without a command, these flags mean `explain`, although `list` has them, too. */
const FLAGS_FOR_TARGETS: ReadonlySet<string> = new Set(["selector", "filename"]);

/** The flags of `explain` come first, because `argumentParts` takes the first of two flags with the same name. */
export function allFlags<Shape extends FlagShape>(
  commands: Readonly<Record<string, { readonly flags: readonly Shape[] }>>,
): Shape[] {
  return [...(commands[DEFAULT_COMMAND]?.flags ?? []), ...Object.values(commands).flatMap(({ flags }) => flags)];
}

export function readCommandLine(argv: readonly string[], commands: CommandShapes): CommandLine {
  const parts = argumentParts<FlagShape>(argv, [...allFlags(commands), HELP_FLAG]);
  const [word, ...others] = plainWords(parts);
  if (word === undefined) return withoutWords(parts, commands);
  if (word !== "help" && !Object.hasOwn(commands, word))
    return { command: DEFAULT_COMMAND, isNamed: false, parts, words: [word, ...others] };
  const index = parts.findIndex(({ kind }) => kind === "word");
  return { command: word, isNamed: true, parts: parts.toSpliced(index, 1), words: others };
}

function withoutWords(parts: readonly Part[], commands: CommandShapes): CommandLine {
  const isVersion = parts.some((part) => part.kind === "unknown" && part.written === "--version");
  if (isVersion) return { command: "version", isNamed: true, parts: [], words: [] };
  const ofList = (commands[COMMAND_WITHOUT_TARGET]?.flags ?? [])
    .map(({ name }) => name)
    .filter((name) => !FLAGS_FOR_TARGETS.has(name));
  const isForList = parts.every((part) => part.kind === "flag" && ofList.includes(part.flag.name));
  const target = isForList ? COMMAND_WITHOUT_TARGET : DEFAULT_COMMAND;
  return { command: isHelpWanted(parts) ? "help" : target, isNamed: false, parts, words: [] };
}

export function isHelpWanted(parts: readonly Part[]): boolean {
  return parts.some((part) => part.kind === "flag" && part.flag.name === HELP_FLAG.name);
}
