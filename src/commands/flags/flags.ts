import * as Flags from "@oclif/core/flags";
import { FORMS, type Form } from "../../render/forms.ts";
import { parseAt, parseRestartPeriod, parseVersion } from "./flag-values.ts";
import { COLOR_FLAG, oneOfForms } from "./output-flag.ts";

/** How to print an explanation. */
export const OUTPUT_FLAGS = {
  output: Flags.custom<Form>({ ...oneOfForms(FORMS), default: "table" })(),
  ...COLOR_FLAG,
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
