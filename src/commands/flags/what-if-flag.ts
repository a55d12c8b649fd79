import * as Flags from "@oclif/core/flags";
import { UserError } from "../../errors.ts";
import type { Form } from "../../render/forms.ts";
import { type NamedChanges, parseConfigurations } from "./simulation-configurations.ts";

/** The same pod under other configurations. */
export const WHAT_IF_FLAG = Flags.custom<NamedChanges[]>({
  helpValue: "LIST",
  description:
    "Also say what other kubelets would make of it: default, max=60s, reduced, v1.34; + joins several: v1.34+reduced",
  parse: async (text) => parseConfigurations("what-if", text),
});

const FORMS: readonly Form[] = ["table", "wide", "json", "yaml"];

/** A usage error for the forms of an explanation that have no place for it. */
export function requireWhatIfForm(output: Form): void {
  if (!FORMS.includes(output)) throw new UserError("notWithWhatIf", output, FORMS);
}
