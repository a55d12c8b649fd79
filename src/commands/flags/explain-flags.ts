import type { Interfaces } from "@oclif/core";
import * as Flags from "@oclif/core/flags";
import { askedTargets } from "../../cluster/api/target-words.ts";
import { UserError } from "../../errors.ts";
import { CONNECTION_FLAGS } from "./connection-flags.ts";
import {
  AT_FLAG,
  areLogsAsked,
  DEBUG_FLAG,
  KUBELET_FLAGS,
  LOG_FLAGS,
  OUTPUT_FLAGS,
  REPORT_FLAG,
  requireLogForm,
  requireReportFile,
  requireWhatIfForm,
  WHAT_IF_FLAG,
} from "./flags.ts";

/** What `explain` takes. */
export const EXPLAIN_FLAGS = {
  filename: Flags.string({
    char: "f",
    multiple: true,
    multipleNonGreedy: true,
    helpValue: "FILE",
    description: "Explain what kubectl printed: pods, events, nodes as JSON or YAML; a file, a folder or - for stdin",
  }),
  selector: Flags.string({
    char: "l",
    helpValue: "SELECTOR",
    description: "Explain the pods with these labels, such as app=web,tier!=db",
  }),
  "all-namespaces": Flags.boolean({ char: "A", description: "With -l or a TYPE alone: search all namespaces" }),
  at: AT_FLAG(),
  "node-config": Flags.option({ options: ["auto", "never"] as const, default: "auto" as const })({
    description: "Whether to read the configuration of the node's kubelet",
  }),
  "exit-code": Flags.boolean({ description: "Exit with 3 if something explained is crash-looping" }),
  watch: Flags.boolean({ char: "w", description: "Watch the pod, with a live countdown, until Ctrl-C" }),
  "what-if": WHAT_IF_FLAG(),
  report: REPORT_FLAG(),
  ...OUTPUT_FLAGS,
  ...LOG_FLAGS,
  ...DEBUG_FLAG,
  ...KUBELET_FLAGS,
  ...CONNECTION_FLAGS,
};

/** What has been given of it. */
export type ExplainFlags = Interfaces.InferredFlags<typeof EXPLAIN_FLAGS>;

/** Throws the usage errors in what is named, before a cluster is asked. */
export function requireTarget(
  words: readonly string[],
  { selector, filename, "all-namespaces": allNamespaces }: ExplainFlags,
): void {
  if (filename !== undefined) return;
  if (words.length === 0 && selector === undefined) throw new UserError("noPodNamed");
  askedTargets({ words, selector, allNamespaces });
}

/** A usage error for what contradicts itself, before anybody waits for it. */
export function requirePossible(flags: ExplainFlags): void {
  const { output, report, "what-if": whatIf } = flags;
  if (whatIf !== undefined) requireWhatIfForm(output);
  if (report !== undefined) requireReportFile(report);
  if (areLogsAsked(flags)) requireLogForm(output);
}
