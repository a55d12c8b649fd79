import type { Connection } from "../../cluster/connection/connection.ts";
import type { LogsRequest } from "../../cluster/pods/observe-logs.ts";
import type { NodeConfig } from "../../cluster/pods/observe-node.ts";
import type { TargetsObservation } from "../../cluster/pods/target-observe.ts";

/** What flags say of what to look at. */
interface ObserveFlags {
  readonly filename?: readonly string[] | undefined;
  readonly namespace?: string | undefined;
  readonly selector?: string | undefined;
  readonly "all-namespaces"?: boolean;
  readonly "node-config"?: NodeConfig;
}

/** When "now" is, and who is told what of the input is left out. */
interface ObserveMoment {
  /** The moment to explain; null for now. */
  readonly atMs: number | null;
  readonly localNowMs: number;
  /** Which logs to read of a cluster; left out: none. */
  readonly logs?: LogsRequest | undefined;
  readonly onSkip: (sentence: string) => void;
  /** How many pods at most; left out: as many as anybody reads of. */
  readonly mostPods?: number;
}

/** Looks at what the words name: in a cluster, or without a connection in the files of -f. */
export async function observeAsked(
  words: readonly string[],
  flags: ObserveFlags,
  connection: Connection | null,
  { onSkip, ...moment }: ObserveMoment,
): Promise<TargetsObservation> {
  const { selector, "all-namespaces": allNamespaces = false, "node-config": nodeConfig = "auto" } = flags;
  const request = { ...moment, words, selector, allNamespaces };
  // Each is imported only where it is used: nobody needs both.
  if (connection !== null) {
    const { observeTargets } = await import("../../cluster/pods/target-observe.ts");
    return observeTargets(connection, { ...request, nodeConfig });
  }
  const { observeTargetsInFiles } = await import("../../cluster/files/target-input.ts");
  const { filename: filenames = [], namespace } = flags;
  return observeTargetsInFiles({ ...request, filenames, namespace, stdin: process.stdin, onSkip });
}
