import type { Interfaces } from "@oclif/core";
import * as Flags from "@oclif/core/flags";
import { CONNECTION_FLAGS } from "./connection-flags.ts";
import { DEBUG_FLAG } from "./debug-flag.ts";
import { AT_FLAG, KUBELET_FLAGS, OUTPUT_FLAGS } from "./flags.ts";
import { LOG_FLAGS } from "./log-flags.ts";
import { REPORT_FLAG } from "./report-flag.ts";
import { WHAT_IF_FLAG } from "./what-if-flag.ts";

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
  "all-namespaces": Flags.boolean({ char: "A", description: "Look in all namespaces, with or without a selector" }),
  at: AT_FLAG(),
  "node-config": Flags.option({ options: ["auto", "never"] as const, default: "auto" as const })({
    description: "Whether to ask the node's kubelet for its configuration",
  }),
  "exit-code": Flags.boolean({ description: "Exit with 3 if something explained is crash-looping" }),
  watch: Flags.boolean({ char: "w", description: "Go on explaining as the pod changes, with a countdown, until ^C" }),
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
