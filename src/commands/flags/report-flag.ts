import { existsSync } from "node:fs";
import * as Flags from "@oclif/core/flags";
import { UserError } from "../../errors.ts";

/** Standard output. */
const STDOUT = "-";

/** Where to write what a wrong prediction can be reported with. */
export const REPORT_FLAG = Flags.custom<string>({
  helpValue: "FILE",
  description: "Write what the explanation rests on to a new file, without names, to report it; - is stdout",
});

/** A UserError where a report cannot be written anyway: nobody should wait for that. */
export function requireReportFile(file: string): void {
  if (file === "") throw new UserError("badFlag", "report", file, "the name of a new file, or - for stdout");
  if (!isStdout(file) && existsSync(file)) throw new UserError("reportExists", file);
}

/** Whether the report takes the explanation's place. */
export function isStdout(file: string | undefined): boolean {
  return file === STDOUT;
}
