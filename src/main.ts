import { misspelledCommand, refuseMisspelledCommand, refuseVerb } from "./commands/argv/misspelled-command.ts";
import { type CommandShapes, isHelpWanted, rewriteArgv } from "./commands/argv/read-argv.ts";
import { reportError } from "./commands/terminal/report-error.ts";
import { useTimeZone } from "./commands/terminal/time-zone.ts";

/** How to load every command that there is, by its name: each is loaded only when it is asked for. */
const LOADERS = {
  catch: () => import("./commands/catch/catch.ts"),
  demo: () => import("./commands/explain/demo.ts"),
  eta: () => import("./commands/eta/eta.ts"),
  explain: () => import("./commands/explain/explain.ts"),
  list: () => import("./commands/list/list.ts"),
  simulate: () => import("./commands/simulate/simulate.ts"),
  strategies: () => import("./commands/simulate/strategies.ts"),
  version: () => import("./commands/version.ts"),
  wait: () => import("./commands/wait/wait.ts"),
} as const;

type CommandName = keyof typeof LOADERS;
type Commands = { [Name in CommandName]: Awaited<ReturnType<(typeof LOADERS)[Name]>>["default"] };

/** Loads every command. */
export async function loadCommands(): Promise<Commands> {
  const loaded = Object.entries(LOADERS).map(async ([name, load]) => [name, (await load()).default]);
  return Object.fromEntries(await Promise.all(loaded));
}

/** Runs the program with the arguments after its name. The exit code; everything has been printed. */
export async function main(argv: readonly string[]): Promise<number> {
  let misspelled: string | null = null;
  useTimeZone(process.env);
  try {
    const shapes = await shapesFor(argv);
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

/** What the flags look like has to be known only where the first argument is one. */
async function shapesFor([first]: readonly string[]): Promise<CommandShapes> {
  if (first?.startsWith("-")) return allShapes();
  return Object.fromEntries(Object.keys(LOADERS).map((name) => [name, { flags: [] }]));
}

async function allShapes(): Promise<CommandShapes> {
  return (await import("./commands/argv/command-shapes.ts")).COMMAND_SHAPES;
}

async function run(name: CommandName, argv: readonly string[]): Promise<0> {
  const { default: Command } = await LOADERS[name]();
  try {
    await new Command(await withValues(argv, Command)).run();
    return 0;
  } catch (error) {
    const { usageErrorOf } = await import("./commands/argv/usage-error.ts");
    throw usageErrorOf(error, name, Command);
  }
}

async function withValues(argv: readonly string[], { flags }: Commands[CommandName]): Promise<readonly string[]> {
  if (!argv.some((argument) => argument.startsWith("-"))) return argv;
  return (await import("./commands/argv/kubectl-values.ts")).withKubectlValues(argv, flags);
}

async function showHelp(argv: readonly string[]): Promise<0> {
  const { printHelp } = await import("./commands/argv/help.ts");
  await printHelp(argv, await loadCommands());
  return 0;
}
