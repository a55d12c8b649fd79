import { expect } from "vitest";
import { COMMAND_TABLE } from "../../src/commands/completion/command-table.ts";
import { complete } from "../../src/commands/completion/print-completion.ts";

const NO_CONFIG = { KUBECONFIG: "/there/is/none" };

/** The last word of `line` is the word to complete. It may be empty. */
export async function completed(
  line: string,
  env: Record<string, string> = NO_CONFIG,
  limitMs = 5_000,
): Promise<string[]> {
  const text = await complete(line.split(" "), COMMAND_TABLE, { env, limitMs });
  expect(text).toMatch(/(^|\n):\d+\n$/);
  return text.split("\n").slice(0, -1);
}

export function wordsOf(lines: readonly string[]): (string | undefined)[] {
  return lines.map((line) => line.split("\t")[0]);
}
