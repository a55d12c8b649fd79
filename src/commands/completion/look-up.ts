import type { Environment } from "../../cluster/connection/kubeconfig-files.ts";
import type { TargetKind } from "../../cluster/objects/workload-kinds.ts";
import type { TableName } from "../../cluster/pods/completion-names.ts";
import type { Observation } from "../../explain/observed/observation.ts";
import type { ConnectionValues } from "../flags/connection-flags.ts";
import type { Completion } from "./candidates.ts";
import type { CommandTable } from "./command-table.ts";
import type { Line } from "./line.ts";

// Each function imports its modules itself, because many completions need none of them.

export interface LookUpOptions {
  readonly env: Environment;
  readonly limitMs: number;
}

export interface Question extends Line, LookUpOptions {
  readonly table: CommandTable;
  /** Gets all candidates found so far. The last call within the time limit counts. */
  readonly onFound: (completion: Completion) => void;
}

export async function namesInKubeconfig(
  what: "contexts" | "clusters" | "users",
  { flags, env }: Question,
): Promise<readonly string[]> {
  const { readKubeconfig } = await import("../../cluster/connection/kubeconfig-files.ts");
  return [...readKubeconfig(flags.get("kubeconfig")?.at(-1), env)[what].keys()].sort();
}

export async function namesInCluster(
  kind: TargetKind | "Namespace",
  question: Question,
  onNames: (names: readonly TableName[]) => void,
): Promise<void> {
  const { connection, tableNames } = await clusterOf(question);
  for await (const names of tableNames(connection, kind)) onNames(names);
}

export async function containersInCluster(question: Question): Promise<readonly string[]> {
  const { connection, containerNames } = await clusterOf(question);
  return containerNames(connection, question.words);
}

/** Returns null without -f. Also returns null for `-f -`, because stdin belongs to the shell. */
export async function filesOfLine({ flags }: Line): Promise<Observation | null> {
  const filenames = flags.get("filename") ?? [];
  if (filenames.length === 0 || filenames.includes("-")) return null;
  const { observeFiles } = await import("../../cluster/files/read-files.ts");
  const stdin = (async function* () {})();
  return observeFiles({ filenames, stdin, localNowMs: 0, atMs: 0, onNote: () => {} });
}

async function clusterOf({ flags, env, limitMs }: Question) {
  const [{ connect }, { connectionOptions }, names] = await Promise.all([
    import("../../cluster/api/connect.ts"),
    import("../flags/connection-options.ts"),
    import("../../cluster/pods/completion-names.ts"),
  ]);
  const options = { ...connectionOptions(valuesIn(flags), env), requestTimeoutMs: limitMs };
  return { ...names, connection: connect(options) };
}

function valuesIn(flags: Line["flags"]): ConnectionValues {
  const valueAsGiven = (name: string, values: readonly string[]): unknown => {
    if (name === "as-group" || name === "as-user-extra") return values;
    return values.length === 0 ? true : values.at(-1);
  };
  return Object.fromEntries([...flags].map(([name, values]) => [name, valueAsGiven(name, values)]));
}
