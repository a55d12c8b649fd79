import { loadCommands } from "../../main.ts";
import { type FlagShape, shapesOf } from "../argv/read-argv.ts";
import type { BackoffCommand } from "../base/backoff-command.ts";

export interface FlagEntry extends FlagShape {
  /** The program accepts a hidden flag, but completion does not offer it. */
  readonly hidden: boolean;
  readonly description: string;
  /** All possible values; empty if there is no such list. */
  readonly values: readonly string[];
}

/** The commands by name. */
export type CommandTable = Readonly<Record<string, { readonly summary: string; readonly flags: readonly FlagEntry[] }>>;

type Command = Pick<typeof BackoffCommand, "summary" | "flags">;

const HELP: FlagEntry = {
  ...{ name: "help", char: "h", type: "boolean", hidden: false },
  description: "What the command takes",
  values: [],
};

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

/** A help value such as "table|json" lists the values; one such as "FILE" does not. */
function valuesOf(flag: Command["flags"][string] | undefined): readonly string[] {
  if (flag?.type !== "option") return [];
  const words = typeof flag.helpValue === "string" ? flag.helpValue.split("|") : [];
  return flag.options ?? (words.length > 1 ? words : []);
}

/** The build replaces this module by its value: loading all commands takes longer than running one. */
export const COMMAND_TABLE = tableOf(await loadCommands());
