import { type BackoffCommand, columnsOf } from "../base/backoff-command.ts";
import { standardOutput } from "../terminal/standard-output.ts";
import { forTerminal } from "../terminal/terminal-text.ts";
import { helpFor } from "./help.ts";

/** Prints the help for `argv`, as wide as the terminal allows. */
export async function printHelp(
  argv: readonly string[],
  commands: Readonly<Record<string, typeof BackoffCommand>>,
): Promise<void> {
  standardOutput().write(forTerminal(await helpFor(argv, commands, columnsOf(process.stdout))));
}
