import { autocomplete, isCancel } from "@clack/prompts";
import type { Connection } from "../../cluster/connection/connection.ts";
import { type ListChoice, listChoices } from "../../render/list/list-choices.ts";
import { noneListed } from "../../render/list/list-sentences.ts";
import type { ExplainFlags } from "../flags/explain-flags.ts";
import { kubeletOptions } from "../flags/flags.ts";
import { collectedList } from "../list/collected-list.ts";
import { incompleteSentence, placeOf, scopeOf } from "../list/list-parts.ts";
import { FAILED, INTERRUPTED } from "../terminal/exit-codes.ts";

const PROMPT_MARGIN_COLUMNS = 6;
const MOST_LINES = 12;

interface Screen {
  readonly input: NodeJS.ReadStream;
  readonly output: NodeJS.WriteStream;
}

/** Returns an exit code instead of a choice if there is nothing to choose from or the user cancels. */
export async function chooseTarget(
  connection: Connection,
  flags: ExplainFlags,
  { input, output }: Screen,
  { localNowMs, note }: { readonly localNowMs: number; note(sentence: string): void },
): Promise<ListChoice | number> {
  const scope = scopeOf(connection, flags);
  const where = placeOf(scope);
  const { list, failure } = await collectedList(connection, scope, { options: kubeletOptions(flags), localNowMs });
  if (failure !== null) note(`Error: ${incompleteSentence(failure)}`);
  const choices = listChoices(list, {
    columns: output.columns - PROMPT_MARGIN_COLUMNS,
    hasNamespaces: scope.namespace === null,
  });
  if (choices.length === 0) {
    note(
      `${noneListed({ isDownOnly: false })} in ${where}. To explain a healthy pod, name it: kubectl backoff explain POD.`,
    );
    return failure === null ? 0 : FAILED;
  }
  const chosen = await autocomplete({
    message: `Which of these in ${where} do you want explained?`,
    options: choices.map((choice) => ({ value: choice, label: choice.line })),
    maxItems: MOST_LINES,
    ...{ input, output },
  });
  return isCancel(chosen) ? INTERRUPTED : chosen;
}
