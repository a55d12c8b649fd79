import { type FlagShape, partsOf } from "./read-argv.ts";

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
