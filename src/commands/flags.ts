import * as Flags from "@oclif/core/flags";
import { UserError } from "../errors.ts";
import { FORMS, type Form } from "../render/forms.ts";
import { parseAt, parseRestartPeriod, parseVersion } from "./flag-values.ts";

export { CONNECTION_FLAGS } from "./connection-flags.ts";

/** How to print an explanation. */
export const OUTPUT_FLAGS = {
  output: Flags.custom<Form>({
    char: "o",
    default: "table",
    helpValue: FORMS.join("|"),
    description: "Output format",
    parse: async (text) => parseOutput(text),
  })(),
  color: Flags.string({
    options: ["auto", "always", "never"],
    default: "auto",
    description: "Whether to use colors; auto does on a terminal, unless NO_COLOR is set",
  }),
  container: Flags.string({ char: "c", helpValue: "NAME", description: "Explain only this container" }),
};

/** What is known of the node's kubelet and need not be asked. */
export const KUBELET_FLAGS = {
  "kubelet-version": Flags.custom<string>({
    helpValue: "VERSION",
    description: "Version of the node's kubelet, such as v1.37.1, where it cannot be seen or another is meant",
    parse: async (text) => parseVersion(text),
  })(),
  "max-restart-period": Flags.custom<number>({
    helpValue: "DURATION",
    description: "crashLoopBackOff.maxContainerRestartPeriod of the node's kubelet, from 1s to 300s",
    parse: async (text) => parseRestartPeriod(text),
  })(),
  "reduced-decay": Flags.boolean({
    description: "The node's kubelet has the gate ReduceDefaultCrashLoopBackOffDecay on",
  }),
};

/** The moment that is explained. */
export const AT_FLAG = Flags.custom<number>({
  helpValue: "TIME",
  description: "Explain this moment, in RFC 3339, instead of now",
  parse: async (text) => parseAt(text),
});

function parseOutput(text: string): Form {
  const format = FORMS.find((candidate) => candidate === text);
  if (format !== undefined) return format;
  throw new UserError("badOutput", text, FORMS);
}
