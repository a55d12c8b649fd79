import type { Interfaces } from "@oclif/core";
import * as Args from "@oclif/core/args";
import * as Flags from "@oclif/core/flags";
import { UserError } from "../../errors.ts";
import type { ExplainOptions } from "../../explain/explain.ts";
import { AT, KUBELET_VERSION, RESTART_PERIOD, type ValueForm, valueIn } from "./flag-values.ts";

export function stringFlag(helpValue: string, description: string) {
  return Flags.string({ helpValue, description });
}

/** A flag whose value has a form; oclif's parser throws the usage error for another value. */
export function valueFlag<T>(
  helpValue: string,
  description: string,
  form: ValueForm<T>,
): Interfaces.OptionFlag<T | undefined> {
  const { parse: _, ...flag } = stringFlag(helpValue, description);
  // oclif's type of `parse` takes a value that is a list for several values.
  return { ...flag, parse: parserOf(form) } as Interfaces.OptionFlag<T | undefined>;
}

/** The `parse` of oclif's flags for values of a form. */
export function parserOf<T>(form: ValueForm<T>) {
  return async (text: string, _: unknown, { name }: { readonly name: string }): Promise<T> => valueIn(name, text, form);
}

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

export function filenameFlag(description: string) {
  return Flags.string({ char: "f", multiple: true, multipleNonGreedy: true, helpValue: "FILE", description });
}

export function selectorFlag(description: string) {
  return Flags.string({ char: "l", helpValue: "SELECTOR", description });
}

export function containerFlag(description: string) {
  return Flags.string({ char: "c", helpValue: "NAME", description });
}

/** A word that is no flag; oclif's own would be read from stdin where it is left out. */
export function wordArgument(description: string) {
  return Args.string({ ignoreStdin: true, description });
}

export const COLOR_FLAG = {
  color: Flags.string({
    options: ["auto", "always", "never"],
    default: "auto",
    description: "Whether to use colors; auto does on a terminal, unless NO_COLOR is set",
  }),
};

/** What is known of the node's kubelet and need not be asked. */
export const KUBELET_FLAGS = {
  "kubelet-version": valueFlag("VERSION", "Assume this kubelet version, for example v1.37.1", KUBELET_VERSION),
  "max-restart-period": valueFlag(
    "DURATION",
    "Assume this crashLoopBackOff.maxContainerRestartPeriod, from 1s to 300s",
    RESTART_PERIOD,
  ),
  "reduced-decay": Flags.boolean({
    description: "Assume the kubelet has feature gate ReduceDefaultCrashLoopBackOffDecay enabled",
  }),
};

/** The values of {@link KUBELET_FLAGS}, as far as they are given. */
export interface KubeletValues {
  readonly "kubelet-version"?: string | undefined;
  readonly "max-restart-period"?: number | undefined;
  readonly "reduced-decay"?: boolean | undefined;
}

/** What the flags say of the kubelet; what they do not say stays open. */
export function kubeletOptions(flags: KubeletValues): ExplainOptions {
  const { "kubelet-version": kubeletVersion, "max-restart-period": maxRestartPeriodMs } = flags;
  return {
    ...(kubeletVersion !== undefined && { kubeletVersion }),
    ...(maxRestartPeriodMs !== undefined && { maxRestartPeriodMs }),
    ...(flags["reduced-decay"] === true && { reducedDecay: true }),
  };
}

export const AT_FLAG = {
  at: valueFlag("TIME", "Explain the pod as of this time instead of now: 13:43, -5m or RFC 3339", AT),
};

/** For whoever looks for what went wrong; kubectl has no global flag of this name (`kubectl options`, v1.37.1). */
export const DEBUG_FLAG = {
  debug: Flags.boolean({
    description: "Log requests, timings and the rules applied to stderr (no secrets)",
  }),
};

/** Standard output, as the value of a flag that takes a file. */
export function isStdout(file: string | undefined): boolean {
  return file === "-";
}
