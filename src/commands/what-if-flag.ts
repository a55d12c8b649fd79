import * as Flags from "@oclif/core/flags";
import { UserError } from "../errors.ts";
import { type NamedChanges, parseConfigurations } from "./simulation-configurations.ts";

/** The same pod under other configurations. */
export const WHAT_IF_FLAG = Flags.custom<NamedChanges[]>({
  helpValue: "LIST",
  description:
    "Also say what other kubelets would make of it: default, max=60s, reduced, v1.34; + joins several: v1.34+reduced",
  parse: async (text) => parseConfigurations("what-if", text),
});

const FORMS = ["table", "wide", "json", "yaml"];

/** Refuses --what-if where it has no place. */
export function requireWhatIfForm(flags: { readonly output: string; readonly watch: boolean }): void {
  if (flags.watch) throw new UserError("badArguments", "--what-if does not go with --watch: pass one of them");
  if (FORMS.includes(flags.output)) return;
  throw new UserError("badArguments", `--what-if does not go with -o ${flags.output}: pass table, json or yaml`);
}
