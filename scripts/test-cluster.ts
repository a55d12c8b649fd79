import { parseArgs } from "node:util";
import { missLines } from "./calibration/misses.ts";
import { numberUpTo } from "./number-up-to.ts";
import { compare } from "./test-cluster/comparison.ts";
import { findCluster, type ReadyNode } from "./test-cluster/find-cluster.ts";
import { createNamespace, removeNamespace } from "./test-cluster/namespace.ts";
import { saveRecordings } from "./test-cluster/recorder.ts";
import { type RunResult, run } from "./test-cluster/run.ts";
import { SCENARIOS } from "./test-cluster/scenarios.ts";
import { resultOf } from "./test-cluster/table.ts";

const USAGE = [
  "Usage: npm run test:cluster -- [--minutes N] [--as-kubeconfig FILE] [--record FOLDER] [--namespace NAME]",
  "                               [--scenario NAME] [--misses N]",
  "Crashes pods in a namespace of its own on every ready node of the cluster that kubectl talks to, and compares what is",
  "predicted with what happens. The nodes must hold the image localhost/busybox:1.",
].join("\n");

type Settings = ReturnType<typeof settingsFrom>;

const INTERRUPTED = 130;

/** Exit codes: 0 if the predictions hold or no cluster can be used, 1 if not, 2 for wrong usage, 130 on ^C. */
async function main(args: string[], signal: AbortSignal): Promise<number> {
  let settings: Settings;
  try {
    settings = settingsFrom(args);
  } catch (error) {
    console.error(`${(error as Error).message}\n${USAGE}`);
    return 2;
  }
  const cluster = await findCluster(settings.namespace);
  if ("unusable" in cluster) {
    console.log(`Skipped: ${cluster.unusable}`);
    return 0;
  }
  try {
    return await testOn(cluster.nodes, settings, signal);
  } catch (error) {
    if (signal.aborted) return INTERRUPTED;
    console.error((error as Error).message);
    return 1;
  }
}

async function testOn(nodes: readonly ReadyNode[], settings: Settings, signal: AbortSignal): Promise<number> {
  const scenarios = SCENARIOS.filter(({ name }) => name.includes(settings.scenario));
  console.log(`Nodes: ${nodes.map(({ name }) => name).join(", ")}; scenarios: ${scenarios.length}`);
  const say = (line: string) => console.error(line);
  await createNamespace(settings.namespace);
  try {
    const { minutes, namespace, "as-kubeconfig": kubeconfig } = settings;
    const result = await run({ minutes, namespace, kubeconfig, scenarios, nodes, say, signal });
    return report(result, settings);
  } finally {
    await removeNamespace(settings.namespace).catch((error: Error) => say(`Cannot clean up: ${error.message}`));
  }
}

function report({ predictions, recordings, failures }: RunResult, settings: Settings): number {
  if (settings.record !== undefined) saveRecordings(settings.record, recordings);
  const comparison = compare(predictions, recordings);
  const { lines, isGood } = resultOf(comparison);
  const misses = comparison.judgements.filter(({ outcome, delay }) => outcome !== "inside" || delay === "wrong");
  console.log([...lines, ...missLines(misses, settings.misses)].join("\n"));
  for (const failure of new Set(failures)) console.error(`Failed: ${failure}`);
  return isGood && failures.length === 0 ? 0 : 1;
}

function settingsFrom(args: string[]) {
  const { values } = parseArgs({
    args,
    options: {
      minutes: { type: "string", default: "12" },
      "as-kubeconfig": { type: "string" },
      record: { type: "string" },
      namespace: { type: "string", default: "backoff-test" },
      scenario: { type: "string", default: "" },
      misses: { type: "string", default: "20" },
    },
  });
  return {
    ...values,
    minutes: numberUpTo(24 * 60, values.minutes, "--minutes"),
    misses: numberUpTo(Number.MAX_SAFE_INTEGER, values.misses, "--misses"),
  };
}

const interrupt = new AbortController();
for (const name of ["SIGINT", "SIGTERM"] as const) process.on(name, () => interrupt.abort());
process.exitCode = await main(process.argv.slice(2), interrupt.signal);
