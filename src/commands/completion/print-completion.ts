import { setTimeout as after } from "node:timers/promises";
import { type Completion, completionText, NOTHING } from "./candidates.ts";
import { COMMAND_TABLE, type CommandTable } from "./command-table.ts";
import { answerTo } from "./complete-word.ts";
import { readLine } from "./line.ts";
import type { LookUpOptions, Question } from "./look-up.ts";

const LIMIT_MS = 1_500;

export async function printCompletion(argv: readonly string[]): Promise<void> {
  process.on("uncaughtException", () => process.exit());
  const text = await complete(argv, COMMAND_TABLE, { env: process.env, limitMs: LIMIT_MS });
  process.stdout.write(text, () => process.exit(0));
}

/**
 * Answers `getPluginCompletions` (k8s.io/kubectl v0.37.1, pkg/cmd/plugin/plugin_completion.go). The user is typing the
 * last word of `argv`. Returns the candidates that were found within `lookUp.limitMs`, or before an error.
 */
export async function complete(argv: readonly string[], table: CommandTable, lookUp: LookUpOptions): Promise<string> {
  const line = readLine(argv, table);
  let newest: Completion = NOTHING;
  const question: Question = { ...line, ...lookUp, table, onFound: (completion) => (newest = completion) };
  const answering = answerTo(question).catch(() => {});
  const timer = new AbortController();
  const late = after(lookUp.limitMs, undefined, { signal: timer.signal }).catch(() => {});
  await Promise.race([answering, late]);
  timer.abort();
  return completionText(newest, line.text);
}
