import {
  misspelledCommand,
  refuseHelpFor,
  refuseMisspelledCommand,
  refuseVerb,
} from "./commands/argv/misspelled-command.ts";
import { type CommandShapes, isHelpWanted, rewriteArgv } from "./commands/argv/read-argv.ts";
import { type CommandName, LOADERS, loadCommands } from "./commands/commands.ts";
import { reportError } from "./commands/terminal/report-error.ts";
import { useTimeZone } from "./commands/terminal/time-zone.ts";

/** Runs the program with the arguments after its name. Returns the exit code when all output is printed. */
export async function main(argv: readonly string[]): Promise<number> {
  let misspelled: string | null = null;
  useTimeZone(process.env);
  try {
    const shapes = await shapesFor(argv);
    refuseHelpFor(argv, shapes);
    const [name, ...rest] = rewriteArgv(argv, shapes);
    if (isHelpWanted([name, ...rest])) return await showHelp([name, ...rest]);
    refuseVerb(argv, shapes);
    misspelled = misspelledCommand(argv, shapes);
    if (misspelled !== null) refuseMisspelledCommand(argv, await allShapes(), misspelled);
    return await run(name as CommandName, rest);
  } catch (error) {
    return reportError(error, misspelled);
  }
}

/** Returns the commands, with their flags only if the first argument is a flag: only then `rewriteArgv` needs them. */
async function shapesFor([first]: readonly string[]): Promise<CommandShapes> {
  if (first?.startsWith("-")) return allShapes();
  return Object.fromEntries(Object.keys(LOADERS).map((name) => [name, { flags: [] }]));
}

async function allShapes(): Promise<CommandShapes> {
  return (await import("./commands/completion/command-table.ts")).COMMAND_TABLE;
}

async function run(name: CommandName, argv: readonly string[]): Promise<number> {
  const { default: Command } = await LOADERS[name]();
  try {
    const hasFlags = argv.some((argument) => argument.startsWith("-"));
    const values = hasFlags ? await import("./commands/argv/kubectl-values.ts") : null;
    return await new Command(values?.withKubectlValues(argv, Command.flags) ?? argv).run();
  } catch (error) {
    const { usageErrorOf } = await import("./commands/argv/usage-error.ts");
    throw usageErrorOf(error, name, Command);
  }
}

async function showHelp(argv: readonly string[]): Promise<0> {
  const { printHelp } = await import("./commands/argv/help.ts");
  await printHelp(argv, await loadCommands());
  return 0;
}
