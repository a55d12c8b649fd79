import type { Interfaces } from "@oclif/core";
import * as Args from "@oclif/core/args";
import * as Flags from "@oclif/core/flags";
import { UserError } from "../../errors.ts";
import type { PolicyOverrides } from "../../explain/replay/policy-of-pod.ts";
import {
  AT,
  KUBELET_VERSION,
  LINES,
  oneOfForm,
  RESTART_PERIOD,
  RESTART_PERIOD_WORDS,
  type ValueForm,
  valueIn,
} from "./flag-values.ts";

export const REPEATED = { multiple: true, multipleNonGreedy: true } as const;

export const stringFlag = (helpValue: string, description: string) => Flags.string({ helpValue, description });
export const filenameFlag = (description: string) =>
  Flags.string({ ...REPEATED, char: "f", helpValue: "FILE", description });
export const selectorFlag = (description: string) => Flags.string({ char: "l", helpValue: "SELECTOR", description });
export const containerFlag = (description: string) => Flags.string({ char: "c", helpValue: "NAME", description });
/** Without `ignoreStdin`, oclif can read an omitted argument from stdin. */
export const wordArgument = (description: string) => Args.string({ ignoreStdin: true, description });

export function valueFlag<T>(
  helpValue: string,
  description: string,
  form: ValueForm<T>,
): Interfaces.OptionFlag<T | undefined> {
  const { parse: _, ...flag } = stringFlag(helpValue, description);
  const parse = async (text: string, _: unknown, { name }: { readonly name: string }) => valueIn(name, text, form);
  // The cast is for a T that is an array: in oclif's types, the `parse` of such a flag returns one item of the array.
  return { ...flag, parse } as Interfaces.OptionFlag<T | undefined>;
}

export function valueFlagWithDefault<T>(
  helpValue: string,
  description: string,
  form: ValueForm<T>,
  { value, shown }: { readonly value: T; readonly shown: string },
): Interfaces.OptionFlag<T> {
  const flag = valueFlag(helpValue, description, form) as Interfaces.OptionFlag<T>;
  return { ...flag, default: value, defaultHelp: async () => shown };
}

export function requiredFlag<T>(helpValue: string, description: string, form: ValueForm<T>): Interfaces.OptionFlag<T> {
  return { ...(valueFlag(helpValue, description, form) as Interfaces.OptionFlag<T>), required: true };
}

export function flagWithOptionalValue<T>(description: string, form: ValueForm<T>) {
  return { ...valueFlag("", description, form), valueIfNone: "true" };
}

export function choiceFlag<T extends string>(choices: readonly T[], initial: T, description: string) {
  return valueFlagWithDefault(choices.join("|"), description, oneOfForm(choices), { value: initial, shown: initial });
}

export function outputFlag<Form extends string>(
  renderers: Readonly<Record<Form, unknown>>,
  description = "Output format",
): Interfaces.OptionFlag<Form> {
  const forms = Object.keys(renderers) as [Form, ...Form[]];
  const read = (text: string): Form => {
    const form = forms.find((candidate) => candidate === text.toLowerCase());
    if (form !== undefined) return form;
    throw new UserError("badOutput", text, forms);
  };
  const initial = { value: forms[0], shown: forms[0] };
  return { ...valueFlagWithDefault(forms.join("|"), description, { read, expected: "" }, initial), char: "o" };
}

export const COLOR_FLAG = {
  color: choiceFlag(
    ["auto", "always", "never"],
    "auto",
    "Whether to use colors; auto does on a terminal, unless NO_COLOR is set",
  ),
};

export const NOTIFY_FLAG = {
  notify: Flags.boolean({ description: "At the end, ring the terminal and show a desktop notification if it can" }),
};

export const KUBELET_FLAGS = {
  "kubelet-version": valueFlag("VERSION", "Assume this kubelet version, for example v1.37.1", KUBELET_VERSION),
  "max-restart-period": valueFlag(
    "DURATION",
    `Assume this crashLoopBackOff.maxContainerRestartPeriod, ${RESTART_PERIOD_WORDS}`,
    RESTART_PERIOD,
  ),
  "reduced-decay": Flags.boolean({
    description: "Assume the kubelet has feature gate ReduceDefaultCrashLoopBackOffDecay enabled",
  }),
};

export type KubeletValues = Partial<Interfaces.InferredFlags<typeof KUBELET_FLAGS>>;

export function kubeletOptions(flags: KubeletValues): PolicyOverrides {
  const { "kubelet-version": kubeletVersion, "max-restart-period": maxRestartPeriodMs } = flags;
  return {
    ...(kubeletVersion !== undefined && { kubeletVersion }),
    ...(maxRestartPeriodMs !== undefined && { maxRestartPeriodMs }),
    ...(flags["reduced-decay"] === true && { reducedDecay: true }),
  };
}

export const tailFlag = (description: string) => valueFlag("N", description, LINES);

export const AT_FLAG = {
  at: valueFlag("TIME", "Answer as of this time instead of now: 13:43, -5m or RFC 3339", AT),
};

export const DEBUG_FLAG = {
  debug: Flags.boolean({ description: "Log requests, timings and sizes to stderr (no secrets)" }),
};

export function valuePlaceholder(flag: Interfaces.FlagInput[string]): string {
  return flag.type === "option" ? [flag.helpValue ?? "VALUE"].flat().join(" ") : "";
}

export function choicesOf(flag: Interfaces.FlagInput[string]): string[] {
  return valuePlaceholder(flag).split("|");
}

export function isStdout(file: string | undefined): boolean {
  return file === "-";
}
