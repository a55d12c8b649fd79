import { HELP_FLAG } from "../argv/command-line.ts";
import { type FlagShape, shapesOf } from "../argv/kubectl-syntax.ts";
import type { BackoffCommand } from "../base/backoff-command.ts";
import { loadCommands } from "../commands.ts";
import { choicesOf } from "../flags/flags.ts";

export interface FlagEntry extends FlagShape {
  readonly hidden: boolean;
  readonly description: string;
  readonly values: readonly string[];
}

export type CommandTable = Readonly<Record<string, { readonly summary: string; readonly flags: readonly FlagEntry[] }>>;

type Command = Pick<typeof BackoffCommand, "summary" | "flags">;

const HELP_ENTRY: FlagEntry = { ...HELP_FLAG, hidden: false, description: "What the command takes", values: [] };

export function tableOf(commands: Readonly<Record<string, Command>>): CommandTable {
  return Object.fromEntries(
    Object.entries(commands).map(([name, { summary, flags }]) => [
      name,
      { summary, flags: [...entriesOf(flags), HELP_ENTRY] },
    ]),
  );
}

function entriesOf(flags: Command["flags"]): FlagEntry[] {
  return shapesOf(flags).map((shape) => {
    const flag = flags[shape.name];
    return { ...shape, hidden: flag?.hidden === true, description: flag?.description ?? "", values: valuesOf(flag) };
  });
}

function valuesOf(flag: Command["flags"][string] | undefined): readonly string[] {
  const choices = flag === undefined ? [] : choicesOf(flag);
  return choices.length > 1 ? choices : [];
}

/** The build replaces this module with the finished table, because loading all commands is slow. */
export const COMMAND_TABLE = tableOf(await loadCommands());
