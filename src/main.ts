import {
  COMMAND_WITHOUT_TARGET,
  type CommandShapes,
  DEFAULT_COMMAND,
  isHelpWanted,
  readCommandLine,
} from "./commands/argv/command-line.ts";
import { type Part, shapesOf } from "./commands/argv/kubectl-syntax.ts";
import { misspelledCommand, refuseHelpFor, refuseVerb } from "./commands/argv/misspelled-command.ts";
import { type CommandName, LOADERS, loadCommands } from "./commands/commands.ts";
import { reportError } from "./commands/terminal/report-error.ts";
import { useTimeZone } from "./commands/terminal/time-zone.ts";

const NAMES = Object.keys(LOADERS);

/** Returns the exit code. The caller must still wait until the operating system has taken all output. */
export async function main(argv: readonly string[]): Promise<number> {
  let misspelled: string | null = null;
  useTimeZone(process.env);
  try {
    const line = readCommandLine(argv, await shapesFor(argv));
    refuseHelpFor(line, NAMES);
    if (line.command === "help") return await showHelp(line.words[0] ?? "");
    if (isHelpWanted(line.parts)) return await showHelp(line.command);
    refuseVerb(line);
    misspelled = misspelledCommand(line, NAMES);
    return await run(line.command as CommandName, line.parts);
  } catch (error) {
    return reportError(error, misspelled);
  }
}

async function shapesFor([first = COMMAND_WITHOUT_TARGET]: readonly string[]): Promise<CommandShapes> {
  // A flag comes first, so any command can follow.
  if (first.startsWith("-")) return (await import("./commands/completion/command-table.ts")).COMMAND_TABLE;
  const running = NAMES.includes(first) ? (first as CommandName) : DEFAULT_COMMAND;
  const { default: Command } = await LOADERS[running]();
  const ofCommand = (name: string) => (name === running ? shapesOf(Command.flags) : []);
  return Object.fromEntries(NAMES.map((name) => [name, { flags: ofCommand(name) }]));
}

async function run(name: CommandName, parts: readonly Part[]): Promise<number> {
  const { default: Command } = await LOADERS[name]();
  try {
    // The module is imported here, because a command without arguments does not need the module.
    const reader = parts.length === 0 ? null : await import("./commands/argv/oclif-arguments.ts");
    return await new Command(reader?.oclifArguments(parts, Command.flags, name) ?? []).run();
  } catch (error) {
    const { usageErrorOf } = await import("./commands/argv/usage-error.ts");
    throw usageErrorOf(error, name, Command);
  }
}

async function showHelp(name: string): Promise<0> {
  const { printHelp } = await import("./commands/argv/help.ts");
  await printHelp(name, await loadCommands());
  return 0;
}
