/** A flag, as far as completion needs it. */
export interface FlagEntry {
  readonly name: string;
  /** The letter of its short form; null without one. */
  readonly char: string | null;
  /** false: it is a switch. */
  readonly takesValue: boolean;
  /** Whether it may be given again. */
  readonly multiple: boolean;
  /** It is taken, but not offered. */
  readonly hidden: boolean;
  readonly description: string;
  /** All the values there are; empty if they cannot be counted. */
  readonly values: readonly string[];
}

/** A command, as far as completion needs it. */
interface CommandEntry {
  readonly summary: string;
  readonly flags: readonly FlagEntry[];
}

/** The commands by name. */
export type CommandTable = Readonly<Record<string, CommandEntry>>;

/** What is taken of a flag's definition: oclif's definitions have it. */
export interface FlagDefinition {
  readonly type: "boolean" | "option";
  readonly char?: string | undefined;
  readonly multiple?: boolean | undefined;
  readonly hidden?: boolean | undefined;
  readonly description?: string | undefined;
  readonly summary?: string | undefined;
  readonly helpValue?: string | readonly string[] | undefined;
  readonly options?: readonly string[] | undefined;
}

/** What is taken of a command. */
interface CommandDefinition {
  readonly summary?: string | undefined;
  readonly flags: Readonly<Record<string, FlagDefinition>>;
}

const HELP: FlagEntry = {
  name: "help",
  char: "h",
  takesValue: false,
  multiple: false,
  hidden: false,
  description: "What the command takes",
  values: [],
};

/** Draws the table from the commands' own definitions, so that it cannot lag behind them. */
export function tableOf(commands: Readonly<Record<string, CommandDefinition>>): CommandTable {
  return Object.fromEntries(
    Object.entries(commands).map(([name, { summary, flags }]) => [
      name,
      { summary: summary ?? "", flags: [...entriesOf(flags), HELP] },
    ]),
  );
}

function entriesOf(flags: CommandDefinition["flags"]): FlagEntry[] {
  return Object.entries(flags).map(([name, flag]) => ({
    name,
    char: flag.char ?? null,
    takesValue: flag.type === "option",
    multiple: flag.multiple === true,
    hidden: flag.hidden === true,
    description: flag.summary ?? flag.description ?? "",
    values: valuesOf(flag),
  }));
}

/** A help value such as "table|json" names all the values; one such as "FILE" only says what they are. */
function valuesOf({ options, helpValue }: FlagDefinition): readonly string[] {
  if (options !== undefined) return options;
  const words = typeof helpValue === "string" ? helpValue.split("|") : [];
  return words.length > 1 ? words : [];
}
