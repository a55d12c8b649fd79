import type { Connection } from "../cluster/connect.ts";
import type { NodeConfig } from "../cluster/observe-node.ts";
import { observeTargetsInFiles } from "../cluster/target-input.ts";
import { observeTargets, type TargetsObservation } from "../cluster/target-observe.ts";

/** What the flags of `explain` say of what to look at. */
export interface ObserveFlags {
  readonly filename?: readonly string[] | undefined;
  readonly namespace?: string | undefined;
  readonly selector?: string | undefined;
  readonly "all-namespaces": boolean;
  readonly "node-config": NodeConfig;
}

/** When "now" is, and who is told what of the input is left out. */
export interface ObserveMoment {
  readonly atMs: number | null;
  readonly localNowMs: number;
  readonly onSkip: (sentence: string) => void;
}

/** Looks at what the words name: in a cluster, or without a connection in the files of -f. */
export function observeAsked(
  words: readonly string[],
  flags: ObserveFlags,
  connection: Connection | null,
  { onSkip, ...moment }: ObserveMoment,
): Promise<TargetsObservation> {
  const { selector, "all-namespaces": allNamespaces, "node-config": nodeConfig } = flags;
  const request = { ...moment, words, selector, allNamespaces, nodeConfig };
  if (connection !== null) return observeTargets(connection, request);
  const { filename: filenames = [], namespace } = flags;
  return observeTargetsInFiles({ ...request, filenames, namespace, stdin: process.stdin, onSkip });
}
