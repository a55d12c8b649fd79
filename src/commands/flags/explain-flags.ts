import type { Interfaces } from "@oclif/core";
import * as Flags from "@oclif/core/flags";
import { askedTargets } from "../../cluster/api/target-words.ts";
import type { LogsRequest } from "../../cluster/pods/observe-logs.ts";
import { andList, UserError } from "../../errors.ts";
import { EXPLAIN_FORMS, FORMS, formsWithLogs } from "../../render/forms.ts";
import { CLUSTER_FLAGS } from "./connection-flags.ts";
import { BOOLEAN, LINES, type ValueForm } from "./flag-values.ts";
import {
  AT_FLAG,
  COLOR_FLAG,
  choiceFlag,
  containerFlag,
  filenameFlag,
  flagWithOptionalValue,
  isStdout,
  outputFlag,
  selectorFlag,
  stringFlag,
  tailFlag,
} from "./flags.ts";
import { requireNewFile } from "./new-file.ts";

export const OUTPUT_FLAGS = {
  output: outputFlag(EXPLAIN_FORMS),
  ...COLOR_FLAG,
  container: containerFlag("Explain only this container"),
};

/** Assumed: this number of log lines is enough for the end of a stack trace. */
export const DEFAULT_LINES = 5;

const LINES_OR_WHETHER: ValueForm<number | boolean> = {
  read: (text) => LINES.read(text) ?? BOOLEAN.read(text),
  expected: LINES.expected,
};

const ANY_OR_WHETHER: ValueForm<"any" | boolean> = {
  read: (text) => (text === "any" ? text : BOOLEAN.read(text)),
  expected: "any, or no value",
};

const LOG_FLAGS = {
  logs: flagWithOptionalValue(
    `Show the last log lines before the crash of every pod; ${andList(formsWithLogs("by-default"))} always show those of the most urgent`,
    LINES_OR_WHETHER,
  ),
  previous: Flags.boolean({
    char: "p",
    description: "Show the log of the crashed instance, even if the container is running again. Implies --logs",
  }),
  tail: tailFlag(`Lines of log to show (default ${DEFAULT_LINES}, -1 for all, 0 for none). Implies --logs`),
};

export const EXPLAIN_FLAGS = {
  filename: filenameFlag(
    "Explain what kubectl printed: pods, events, nodes as JSON or YAML; a file, a folder or - for stdin",
  ),
  selector: selectorFlag("Explain the pods with these labels, such as app=web,tier!=db"),
  "all-namespaces": Flags.boolean({ char: "A", description: "With -l or a TYPE alone: search all namespaces" }),
  ...AT_FLAG,
  "node-config": choiceFlag(["auto", "never"], "auto", "Whether to read the configuration of the node's kubelet"),
  "exit-code": flagWithOptionalValue(
    "Exit with 3 if something explained is crash-looping; with =any also with 4 if it is down otherwise",
    ANY_OR_WHETHER,
  ),
  watch: Flags.boolean({ char: "w", description: "Watch the pod, with a live countdown, until Ctrl-C" }),
  report: stringFlag("FILE", "Write what the explanation rests on, redacted, to a new file (- for stdout)"),
  ...OUTPUT_FLAGS,
  ...LOG_FLAGS,
  ...CLUSTER_FLAGS,
};

export type ExplainFlags = Interfaces.InferredFlags<typeof EXPLAIN_FLAGS>;

export function requireTarget(words: readonly string[], flags: ExplainFlags): void {
  const { selector, filename, "all-namespaces": allNamespaces } = flags;
  if (filename !== undefined) return;
  if (words.length === 0 && selector === undefined) throw new UserError("noPodNamed");
  askedTargets({ words, selector, allNamespaces });
}

export function requirePossibleOutput(flags: ExplainFlags): void {
  const { output, report } = flags;
  if (report !== undefined && !isStdout(report)) requireNewFile("report", report);
  if (areLogsAsked(flags) && FORMS[output].logs === "never")
    throw new UserError("notWithLogs", output, formsWithLogs("at-all"));
}

export function areLogsAsked(flags: ExplainFlags): boolean {
  const lines = linesAsked(flags);
  return lines !== 0 && (flags.logs === true || flags.previous || lines !== undefined);
}

function linesAsked({ tail, logs }: ExplainFlags): number | undefined {
  if (tail !== undefined) return tail;
  // Some output formats show logs by default, and --logs=false asks for none.
  if (logs === false) return 0;
  return typeof logs === "number" ? logs : undefined;
}

export function logsRequestOf(flags: ExplainFlags): LogsRequest | undefined {
  const { previous: isPrevious, container, output } = flags;
  const tail = linesAsked(flags) ?? DEFAULT_LINES;
  const isAsked = areLogsAsked(flags);
  if (tail === 0 || !(isAsked || FORMS[output].logs === "by-default")) return undefined;
  return { tail, isAsked, isPrevious, container };
}
