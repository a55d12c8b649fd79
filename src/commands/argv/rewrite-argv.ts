/** As much of a flag's definition as it takes to find its value: oclif's definitions have it. */
export interface FlagShape {
  /** boolean: without a value. */
  readonly type: "boolean" | "option";
  readonly char?: string | undefined;
  readonly aliases?: readonly string[] | undefined;
}

/** The commands that there are, each with its flags by name. */
export type CommandShapes = Readonly<Record<string, { readonly flags: Readonly<Record<string, FlagShape>> }>>;

const HELP = ["--help", "-h"];

/** The command whose name may be left out where a target follows. */
export const UNNAMED_COMMAND = "explain";
/** The command that no target stands for. */
const WITHOUT_TARGET = "list";

/**
 * Puts the command first, as oclif wants it: kubectl's users write flags anywhere (`-n prod explain web-0`), and leave out
 * `explain`. What is no command is the name of a pod, `help COMMAND` is `COMMAND --help`, `--version` is `version`. Nothing, or
 * nothing but flags of `list` that choose no pods, is `list`.
 */
export function rewriteArgv(argv: readonly string[], commands: CommandShapes): [string, ...string[]] {
  const index = indexOfFirstWord(argv, commands);
  const word = argv[index];
  const before = argv.slice(0, index);
  const after = argv.slice(index + 1);
  if (word === "help")
    return after[0] !== undefined && isCommand(after[0], commands) ? [after[0], "--help"] : ["--help"];
  if (word !== undefined && isCommand(word, commands)) return [word, ...before, ...after];
  if (word === undefined && before.includes("--version")) return ["version"];
  if (word === undefined && before.some((flag) => HELP.includes(flag))) return ["--help"];
  return [word === undefined && before.every(isForList(commands)) ? WITHOUT_TARGET : UNNAMED_COMMAND, ...argv];
}

/** Whether an argument is a flag of `list`, but no selector, or the value of one. */
function isForList(commands: CommandShapes): (argument: string) => boolean {
  const { selector: _, ...flags } = commands[WITHOUT_TARGET]?.flags ?? {};
  const shapes = Object.entries(flags);
  return (argument) => !argument.startsWith("-") || shapes.some((shape) => isWritten(argument, shape));
}

/** `--namespace`, `--namespace=prod`, `-n`, `-n=prod` and `-nprod`; of switches behind one dash the first. */
function isWritten(argument: string, [name, { char }]: readonly [string, FlagShape]): boolean {
  if (argument.startsWith("--")) return argument.split("=", 1)[0] === `--${name}`;
  return char !== undefined && argument.startsWith(`-${char}`);
}

/** Whether the arguments ask for help instead: anywhere before `--`, whatever else they say. */
export function isHelpWanted(argv: readonly string[]): boolean {
  const end = argv.indexOf("--");
  return argv.slice(0, end === -1 ? argv.length : end).some((argument) => HELP.includes(argument));
}

function isCommand(word: string, commands: CommandShapes): boolean {
  return Object.hasOwn(commands, word);
}

/** The arguments that are neither flags nor flags' values. */
export function wordsIn(argv: readonly string[], commands: CommandShapes): string[] {
  const words: string[] = [];
  for (let rest = argv; rest.length > 0; ) {
    const index = indexOfFirstWord(rest, commands);
    words.push(...rest.slice(index, index + 1));
    rest = rest.slice(index + 1);
  }
  return words;
}

/** The index of the first argument that is neither a flag nor a flag's value, nor after `--`; past the end without one. */
function indexOfFirstWord(argv: readonly string[], commands: CommandShapes): number {
  // A flag of two commands is taken for that of `explain`, which needs no name.
  const own = Object.entries(commands[UNNAMED_COMMAND]?.flags ?? {});
  const others = Object.values(commands).flatMap(({ flags }) => Object.entries(flags));
  const shapes = [...own, ...others];
  for (let index = 0; index < argv.length; index++) {
    const argument = argv[index] ?? "";
    if (argument === "--") return argv.length;
    if (!argument.startsWith("-") || argument === "-") return index;
    if (takesNext(argument, shapes)) index++;
  }
  return argv.length;
}

/** `--namespace prod` and `-n prod`, but not `--namespace=prod`, `-n=prod` and `-nprod`. */
function takesNext(argument: string, shapes: readonly (readonly [string, FlagShape])[]): boolean {
  const isLong = argument.startsWith("--");
  const key = argument.slice(isLong ? 2 : 1);
  const shape = shapes.find(([name, { char, aliases }]) => {
    return (isLong ? [name, ...(aliases ?? [])] : [char]).includes(key);
  });
  return shape?.[1].type === "option";
}
