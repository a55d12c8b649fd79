import type { Connection } from "../../cluster/connection/connection.ts";
import type { Environment } from "../../cluster/connection/kubeconfig-files.ts";
import type { TargetKind } from "../../cluster/objects/workload-kinds.ts";
import type { TableName } from "../../cluster/pods/completion-names.ts";
import type { Observation } from "../../explain/observed/observation.ts";
import type { ConnectionValues } from "../flags/connection-flags.ts";
import type { Completion } from "./candidates.ts";
import type { CommandTable } from "./command-table.ts";
import type { Line } from "./line.ts";

// Everything here is imported only when it is asked for: a shell waits, and most completions need none of it.

/** What looking something up depends on besides the line. */
export interface LookUpOptions {
  readonly env: Environment;
  /** No request takes longer. */
  readonly limitMs: number;
}

/** What is to be completed, and what helps. */
export interface Question {
  readonly line: Line;
  /** What is typed of it. */
  readonly text: string;
  readonly table: CommandTable;
  readonly lookUp: LookUpOptions;
  /** Takes what is known so far: the last one is the answer, also if there was no time for more. */
  readonly onFound: (completion: Completion) => void;
}

/** The names of what a kubeconfig has. A UserError if it cannot be read. */
export async function namesInKubeconfig(
  what: "contexts" | "clusters" | "users",
  line: Line,
  { env }: LookUpOptions,
): Promise<readonly string[]> {
  const { readKubeconfig } = await import("../../cluster/connection/kubeconfig-files.ts");
  return [...readKubeconfig(lastOf(line, "kubeconfig"), env)[what].keys()].sort();
}

/** Hands over the names of a cluster as they come, until there are no more or an error. */
export async function namesInCluster(
  kind: TargetKind | "Namespace",
  line: Line,
  options: LookUpOptions,
  onNames: (names: readonly TableName[]) => void,
): Promise<void> {
  const [connection, { tableNames }] = await Promise.all([
    connectionOf(line, options),
    import("../../cluster/pods/completion-names.ts"),
  ]);
  for await (const names of tableNames(connection, kind)) onNames(names);
}

/** The containers of what `words` name in a cluster. */
export async function containersInCluster(
  words: readonly string[],
  line: Line,
  options: LookUpOptions,
): Promise<readonly string[]> {
  const [connection, { containerNames }] = await Promise.all([
    connectionOf(line, options),
    import("../../cluster/pods/completion-names.ts"),
  ]);
  return containerNames(connection, words);
}

/** What the files of `-f` hold; null without such, and for stdin, which a shell needs itself. */
export async function filesOfLine(line: Line): Promise<Observation | null> {
  const filenames = line.flags.get("filename") ?? [];
  if (filenames.length === 0 || filenames.includes("-")) return null;
  const { observeFiles } = await import("../../cluster/files/read-files.ts");
  const stdin = emptyInput();
  return observeFiles({ filenames, stdin, localNowMs: 0, atMs: 0, onSkip: () => {} });
}

async function* emptyInput(): AsyncGenerator<Uint8Array> {}

async function connectionOf(line: Line, { env, limitMs }: LookUpOptions): Promise<Connection> {
  const { connect } = await import("../../cluster/api/connect.ts");
  const { connectionOptions } = await import("../flags/connection-options.ts");
  return connect({ ...connectionOptions(valuesIn(line), env), requestTimeoutMs: limitMs });
}

/** A switch is on, a flag that may be repeated has all its values, another the last one. */
function valuesIn({ flags }: Line): ConnectionValues {
  const valueAsGiven = (name: string, values: readonly string[]): unknown => {
    if (name === "as-group" || name === "as-user-extra") return values;
    return values.length === 0 ? true : values.at(-1);
  };
  return Object.fromEntries([...flags].map(([name, values]) => [name, valueAsGiven(name, values)]));
}

function lastOf(line: Line, flag: string): string | undefined {
  return line.flags.get(flag)?.at(-1);
}
