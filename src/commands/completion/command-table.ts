import { loadCommands } from "../../main.ts";
import { type FlagShape, shapesOf } from "../argv/read-argv.ts";
import type { BackoffCommand } from "../base/backoff-command.ts";

/** A flag, as far as completion needs it. */
export interface FlagEntry extends FlagShape {
  /** It is taken, but not offered. */
  readonly hidden: boolean;
  readonly description: string;
  /** All the values there are; empty if they cannot be counted. */
  readonly values: readonly string[];
}

/** The commands by name, as far as completion needs them. */
export type CommandTable = Readonly<Record<string, { readonly summary: string; readonly flags: readonly FlagEntry[] }>>;

type Command = Pick<typeof BackoffCommand, "summary" | "flags">;

const HELP: FlagEntry = {
  ...{ name: "help", char: "h", type: "boolean", hidden: false },
  description: "What the command takes",
  values: [],
};

/** Draws the table from the commands' own definitions, so that it cannot lag behind them. */
export function tableOf(commands: Readonly<Record<string, Command>>): CommandTable {
  return Object.fromEntries(
    Object.entries(commands).map(([name, { summary, flags }]) => [
      name,
      { summary, flags: [...entriesOf(flags), HELP] },
    ]),
  );
}

function entriesOf(flags: Command["flags"]): FlagEntry[] {
  return shapesOf(flags).map((shape) => {
    const flag = flags[shape.name];
    return { ...shape, hidden: flag?.hidden === true, description: flag?.description ?? "", values: valuesOf(flag) };
  });
}

/** A help value such as "table|json" names all the values; one such as "FILE" only says what they are. */
function valuesOf(flag: Command["flags"][string] | undefined): readonly string[] {
  if (flag?.type !== "option") return [];
  const words = typeof flag.helpValue === "string" ? flag.helpValue.split("|") : [];
  return flag.options ?? (words.length > 1 ? words : []);
}

/** What can be typed. The build puts the finished table in the place of this module: to load the commands takes too long. */
export const COMMAND_TABLE = tableOf(await loadCommands());
