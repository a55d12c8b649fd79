import { expect } from "vitest";
import { COMMAND_TABLE } from "../../src/commands/completion/command-table.ts";
import { complete } from "../../src/commands/completion/print-completion.ts";

const NO_CONFIG = { KUBECONFIG: "/there/is/none" };

/** The lines that are printed for a command line; the word after the last blank is being completed. */
export async function completed(
  line: string,
  env: Record<string, string> = NO_CONFIG,
  limitMs = 5_000,
): Promise<string[]> {
  const text = await complete(line.split(" "), COMMAND_TABLE, { env, limitMs });
  expect(text).toMatch(/(^|\n):\d+\n$/);
  return text.split("\n").slice(0, -1);
}

/** The lines without descriptions. */
export function wordsOf(lines: readonly string[]): (string | undefined)[] {
  return lines.map((line) => line.split("\t")[0]);
}
