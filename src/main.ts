import { run } from "@oclif/core";
import { commandPlugin } from "./commands/command-plugin.ts";
import Demo from "./commands/demo.ts";
import Explain from "./commands/explain.ts";
import { reportError } from "./commands/report-error.ts";
import { rewriteArgv } from "./commands/rewrite-argv.ts";
import Strategies from "./commands/strategies.ts";
import Version from "./commands/version.ts";

/** Every command there is, by its name. */
export const COMMANDS = { demo: Demo, explain: Explain, strategies: Strategies, version: Version } as const;

/** Runs the program with the arguments after its name. The exit code; everything has been printed. */
export async function main(argv: readonly string[]): Promise<number> {
  try {
    const plugin = await commandPlugin(COMMANDS);
    const { root, pjson } = plugin;
    await run(rewriteArgv(argv, COMMANDS), { root, pjson, plugins: new Map([[plugin.name, plugin]]) });
    return 0;
  } catch (error) {
    return reportError(error);
  }
}
