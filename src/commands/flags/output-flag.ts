import * as Flags from "@oclif/core/flags";
import { UserError } from "../../errors.ts";

/** What all flags -o have in common, for `Flags.custom`: it takes one of these forms, and refuses any other as wrong usage. */
export function oneOfForms<Form extends string>(forms: readonly Form[]) {
  return {
    char: "o",
    helpValue: forms.join("|"),
    description: "Output format",
    parse: async (text: string): Promise<Form> => {
      const form = forms.find((candidate) => candidate === text);
      if (form !== undefined) return form;
      throw new UserError("badOutput", text, forms);
    },
  } as const;
}

/** Whether to write in colours. */
export const COLOR_FLAG = {
  color: Flags.string({
    options: ["auto", "always", "never"],
    default: "auto",
    description: "Whether to use colors; auto does on a terminal, unless NO_COLOR is set",
  }),
};
