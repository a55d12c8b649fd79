import { reportError } from "./commands/report-error.ts";
import { type CommandShapes, isHelpWanted, rewriteArgv } from "./commands/rewrite-argv.ts";

/** How to load every command that there is, by its name: each is loaded only when it is asked for. */
const LOADERS = {
  demo: () => import("./commands/demo.ts"),
  explain: () => import("./commands/explain.ts"),
  list: () => import("./commands/list.ts"),
  simulate: () => import("./commands/simulate.ts"),
  strategies: () => import("./commands/strategies.ts"),
  version: () => import("./commands/version.ts"),
  wait: () => import("./commands/wait.ts"),
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
  try {
    const [name, ...rest] = rewriteArgv(argv, await shapesFor(argv));
    if (isHelpWanted([name, ...rest])) await showHelp([name, ...rest]);
    else await run(name as CommandName, rest);
    return 0;
  } catch (error) {
    return reportError(error);
  }
}

/** What the flags look like has to be known only where the first argument is one. */
async function shapesFor([first]: readonly string[]): Promise<CommandShapes> {
  if (first?.startsWith("-")) return loadCommands();
  return Object.fromEntries(Object.keys(LOADERS).map((name) => [name, { flags: {} }]));
}

async function run(name: CommandName, argv: readonly string[]): Promise<void> {
  const { default: Command } = await LOADERS[name]();
  await new Command(argv).run();
}

async function showHelp(argv: readonly string[]): Promise<void> {
  const { printHelp } = await import("./commands/help.ts");
  await printHelp(argv, await loadCommands());
}
