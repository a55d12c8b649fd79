import { COMMAND_TABLE } from "./command-table.ts";
import { complete } from "./complete.ts";

/** Longer than this nobody waits for a TAB. */
const LIMIT_MS = 1_500;

/** Prints the completion of the words after `kubectl backoff`, and ends the process: a request may still be on its way. */
export async function printCompletion(argv: readonly string[]): Promise<void> {
  process.on("uncaughtException", () => process.exit());
  const text = await complete(argv, COMMAND_TABLE, { env: process.env, limitMs: LIMIT_MS });
  process.stdout.write(text, () => process.exit(0));
}
