import * as Flags from "@oclif/core/flags";
import { UserError } from "../../errors.ts";
import type { Form } from "../../render/forms.ts";

/** What --tail is unless given. */
export const DEFAULT_LINES = 10;

/** What to print of the containers' logs. */
export const LOG_FLAGS = {
  logs: Flags.boolean({
    description: "Show the last lines that containers in trouble printed, or the one that -c names",
  }),
  tail: Flags.custom<number>({
    helpValue: "N",
    description: `With --logs, how many lines: ${DEFAULT_LINES} unless given; -1 is all. Without --logs it does nothing`,
    parse: async (text) => parseTail(text),
  })(),
};

/** How many lines: `kubectl logs --tail`, but without its 0, which asks for nothing. */
function parseTail(text: string): number {
  const lines = /^(-1|\d{1,9})$/.test(text) ? Number(text) : 0;
  if (lines !== 0) return lines;
  throw new UserError("badFlag", "tail", text, "a number of lines from 1 on, or -1 for all of them");
}

/** A usage error for the forms of an explanation that have no place for logs. */
export function requireLogForm(output: Form): void {
  if (output === "name" || output === "svg" || output === "html") throw new UserError("notWithLogs", output);
}
