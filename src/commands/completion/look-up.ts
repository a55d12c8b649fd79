import type { Environment } from "../../cluster/connection/kubeconfig-files.ts";
import type { TargetKind } from "../../cluster/objects/workload-kinds.ts";
import type { TableName } from "../../cluster/pods/completion-names.ts";
import type { Observation } from "../../explain/observed/observation.ts";
import type { ConnectionValues } from "../flags/connection-flags.ts";
import type { Completion } from "./candidates.ts";
import type { CommandTable } from "./command-table.ts";
import type { Line } from "./line.ts";

// All modules are imported where they are used, because most completions need none of them.

export interface LookUpOptions {
  readonly env: Environment;
  /** The time limit of the completion, and of each request to the cluster. */
  readonly limitMs: number;
}

export interface Question {
  readonly line: Line;
  /** The part of the word at the cursor that the user has typed. */
  readonly text: string;
  readonly table: CommandTable;
  readonly lookUp: LookUpOptions;
  /** Called each time more candidates are found. At the time limit, the latest completion is the answer. */
  readonly onFound: (completion: Completion) => void;
}

/** Returns the sorted names in the kubeconfig. Throws a UserError if it cannot be read. */
export async function namesInKubeconfig(
  what: "contexts" | "clusters" | "users",
  { line, lookUp }: Question,
): Promise<readonly string[]> {
  const { readKubeconfig } = await import("../../cluster/connection/kubeconfig-files.ts");
  return [...readKubeconfig(line.flags.get("kubeconfig")?.at(-1), lookUp.env)[what].keys()].sort();
}

export async function namesInCluster(
  kind: TargetKind | "Namespace",
  question: Question,
  onNames: (names: readonly TableName[]) => void,
): Promise<void> {
  const { connection, tableNames } = await clusterOf(question);
  for await (const names of tableNames(connection, kind)) onNames(names);
}

export async function containersInCluster(words: readonly string[], question: Question): Promise<readonly string[]> {
  const { connection, containerNames } = await clusterOf(question);
  return containerNames(connection, words);
}

/** Observes the objects in the files of -f. Null without -f, and for `-f -`, because stdin belongs to the shell. */
export async function filesOfLine(line: Line): Promise<Observation | null> {
  const filenames = line.flags.get("filename") ?? [];
  if (filenames.length === 0 || filenames.includes("-")) return null;
  const { observeFiles } = await import("../../cluster/files/read-files.ts");
  const stdin = emptyInput();
  return observeFiles({ filenames, stdin, localNowMs: 0, atMs: 0, onSkip: () => {} });
}

async function* emptyInput(): AsyncGenerator<Uint8Array> {}

async function clusterOf({ line, lookUp }: Question) {
  const [{ connect }, { connectionOptions }, names] = await Promise.all([
    import("../../cluster/api/connect.ts"),
    import("../flags/connection-options.ts"),
    import("../../cluster/pods/completion-names.ts"),
  ]);
  const options = { ...connectionOptions(valuesIn(line), lookUp.env), requestTimeoutMs: lookUp.limitMs };
  return { ...names, connection: connect(options) };
}

function valuesIn({ flags }: Line): ConnectionValues {
  const valueAsGiven = (name: string, values: readonly string[]): unknown => {
    if (name === "as-group" || name === "as-user-extra") return values;
    return values.length === 0 ? true : values.at(-1);
  };
  return Object.fromEntries([...flags].map(([name, values]) => [name, valueAsGiven(name, values)]));
}
