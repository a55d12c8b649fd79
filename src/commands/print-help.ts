import { type BackoffCommand, columnsOf } from "./backoff-command.ts";
import { helpFor } from "./help.ts";
import { standardOutput } from "./standard-output.ts";
import { forTerminal } from "./terminal-text.ts";

/** Prints the help for `argv`, as wide as the terminal allows. */
export async function printHelp(
  argv: readonly string[],
  commands: Readonly<Record<string, typeof BackoffCommand>>,
): Promise<void> {
  standardOutput().write(forTerminal(await helpFor(argv, commands, columnsOf(process.stdout))));
}
