import { existsSync } from "node:fs";
import * as Flags from "@oclif/core/flags";
import type { LogsRequest } from "../../cluster/pods/observe-logs.ts";
import { UserError } from "../../errors.ts";
import type { ExplainOptions } from "../../explain/explain.ts";
import { FORMS, type Form } from "../../render/forms.ts";
import { type At, parseAt, parseRestartPeriod, parseVersion } from "./flag-values.ts";
import { type NamedChanges, parseConfigurations } from "./simulation-configurations.ts";

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
    description: "Assume this kubelet version, for example v1.37.1",
    parse: async (text) => parseVersion(text),
  })(),
  "max-restart-period": Flags.custom<number>({
    helpValue: "DURATION",
    description: "Assume this crashLoopBackOff.maxContainerRestartPeriod, from 1s to 300s",
    parse: async (text) => parseRestartPeriod(text),
  })(),
  "reduced-decay": Flags.boolean({
    description: "Assume the kubelet has feature gate ReduceDefaultCrashLoopBackOffDecay enabled",
  }),
};

/** The moment that is explained. */
export const AT_FLAG = Flags.custom<At>({
  helpValue: "TIME",
  description: "Explain the pod as of this time instead of now: 13:43, -5m or RFC 3339",
  parse: async (text) => parseAt(text),
});

/** For whoever looks for what went wrong; kubectl has no global flag of this name (`kubectl options`, v1.37.1). */
export const DEBUG_FLAG = {
  debug: Flags.boolean({
    description: "Log requests, timings and the rules applied to stderr (no secrets)",
  }),
};

/** What the flags say of the kubelet; what they do not say stays open. */
export function kubeletOptions(flags: {
  readonly "kubelet-version"?: string | undefined;
  readonly "max-restart-period"?: number | undefined;
  readonly "reduced-decay"?: boolean | undefined;
}): ExplainOptions {
  const {
    "kubelet-version": kubeletVersion,
    "max-restart-period": maxRestartPeriodMs,
    "reduced-decay": reducedDecay,
  } = flags;
  return {
    ...(kubeletVersion !== undefined && { kubeletVersion }),
    ...(maxRestartPeriodMs !== undefined && { maxRestartPeriodMs }),
    ...(reducedDecay === true && { reducedDecay }),
  };
}

/** The same pod under other configurations. */
export const WHAT_IF_FLAG = Flags.custom<NamedChanges[]>({
  helpValue: "LIST",
  description: "Compare with other kubelet settings: default, max=60s, reduced, v1.34; + joins several: v1.34+reduced",
  parse: async (text) => parseConfigurations("what-if", text),
});

const WHAT_IF_FORMS: readonly Form[] = ["table", "wide", "json", "yaml"];

/** A usage error for the forms of an explanation that have no place for it. */
export function requireWhatIfForm(output: Form): void {
  if (!WHAT_IF_FORMS.includes(output)) throw new UserError("notWithWhatIf", output, WHAT_IF_FORMS);
}

/** Standard output. */
const STDOUT = "-";

/** Where to write what a wrong prediction can be reported with. */
export const REPORT_FLAG = Flags.custom<string>({
  helpValue: "FILE",
  description: "Write an anonymized bug report to a new file (- for stdout)",
});

/** A UserError where a report cannot be written anyway: nobody should wait for that. */
export function requireReportFile(file: string): void {
  if (file === "") throw new UserError("badFlag", "report", file, "the name of a new file, or - for stdout");
  if (!isStdout(file) && existsSync(file)) throw new UserError("fileExists", "report", file);
}

/** Whether the report takes the explanation's place. */
export function isStdout(file: string | undefined): boolean {
  return file === STDOUT;
}

/** What --tail is unless given: enough for the end of a stack trace. */
const DEFAULT_LINES = 5;

/** What to print of the containers' logs. */
export const LOG_FLAGS = {
  logs: Flags.boolean({
    description: "Show the last log lines before the crash; for one pod, table, wide, md and html always do",
  }),
  previous: Flags.boolean({
    char: "p",
    description: "Show the log of the crashed instance, even if the container is running again. Implies --logs",
  }),
  tail: Flags.custom<number>({
    helpValue: "N",
    description: `Lines of log to show (default ${DEFAULT_LINES}, -1 for all, 0 for none). Implies --logs`,
    parse: async (text) => parseTail(text),
  })(),
};

/** How many lines: `kubectl logs --tail`. */
function parseTail(text: string): number {
  if (/^(-1|\d{1,9})$/.test(text)) return Number(text);
  throw new UserError("badFlag", "tail", text, "a number of lines such as 20, 0 for none, or -1 for all of them");
}

/** What has been given of {@link LOG_FLAGS}, and what else decides whether logs are read. */
interface LogFlags {
  readonly logs?: boolean;
  readonly previous?: boolean;
  readonly tail?: number | undefined;
  readonly container?: string | undefined;
  readonly output: Form;
}

/** Whether the user asks for logs; without a word of it some forms show them anyway. */
export function areLogsAsked({ logs = false, previous = false, tail }: Omit<LogFlags, "output">): boolean {
  return tail !== 0 && (logs || previous || tail !== undefined);
}

/** The forms that have a place for log lines without being asked for them. */
const LOG_FORMS: readonly Form[] = ["table", "wide", "md", "html"];

/** Which logs to read; undefined for none. */
export function logsRequestOf(flags: LogFlags): LogsRequest | undefined {
  const { tail = DEFAULT_LINES, previous: isPrevious = false, container, output } = flags;
  const isAsked = areLogsAsked(flags);
  if (tail === 0 || !(isAsked || LOG_FORMS.includes(output))) return undefined;
  return { tail, isAsked, isPrevious, container };
}

/** A usage error for the forms of an explanation that have no place for logs. */
export function requireLogForm(output: Form): void {
  if (output === "name" || output === "svg") throw new UserError("notWithLogs", output);
}
