import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { findExample } from "../src/cluster/examples.ts";
import { findClusterPod } from "./bench/cluster-pod.ts";
import { startRecordedServer } from "./bench/recorded-server.ts";
import { replayLines } from "./bench/replay.ts";
import { type Base, type Contestant, measureInTurns, startupTable } from "./bench/startup.ts";
import { KubectlError, kubectl } from "./test-cluster/kubectl.ts";

const USAGE = "Usage: npm run bench -- [--rounds N] [--local]";
const FEWEST_ROUNDS = 15;
const GET: Base = { head: "x get", name: "kubectl get pod -o json" };
const DESCRIBE: Base = { head: "x describe", name: "kubectl describe pod" };

/** What to ask whom. */
interface Target {
  readonly what: string;
  /** After the name of each command. */
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

/** Prints how fast an explanation is, and how fast the program starts beside kubectl. Figures only: nothing is asserted. */
async function main(args: string[]): Promise<number> {
  const settings = settingsFrom(args);
  if (settings === null) {
    console.error(USAGE);
    return 2;
  }
  console.log("One explanation, from what was observed to what it means:");
  console.log((await replayLines()).join("\n"));
  const folder = mkdtempSync(join(tmpdir(), "kubectl-backoff-bench-"));
  try {
    await benchStartup(folder, settings);
  } finally {
    rmSync(folder, { recursive: true });
  }
  return 0;
}

function settingsFrom(args: string[]): { rounds: number; local: boolean } | null {
  try {
    const { values } = parseArgs({ args, options: { rounds: { type: "string" }, local: { type: "boolean" } } });
    const rounds = Number(values.rounds ?? 21);
    return Number.isInteger(rounds) && rounds >= FEWEST_ROUNDS ? { rounds, local: values.local === true } : null;
  } catch {
    return null;
  }
}

async function benchStartup(folder: string, { rounds, local }: { rounds: number; local: boolean }): Promise<void> {
  const program = join(folder, "kubectl-backoff");
  execFileSync(process.execPath, ["scripts/build.ts", program]);
  const found = local ? { unusable: "not asked for" } : await findClusterPod();
  if ("pod" in found) {
    const what = `pod ${found.pod} on ${found.server}`;
    return printStartup(program, rounds, { what, args: [found.pod], env: process.env });
  }
  console.log(`\nSkipped, the cluster: ${found.unusable}. A local server answers instead, from a recording.`);
  const server = await startRecordedServer(findExample(undefined));
  try {
    const kubeconfig = join(folder, "kubeconfig");
    writeFileSync(kubeconfig, server.kubeconfig);
    const env = { ...process.env, KUBECONFIG: kubeconfig, KUBECACHEDIR: join(folder, "cache") };
    const args = [server.pod, "--namespace", server.namespace];
    await printStartup(program, rounds, { what: `pod ${server.pod} on the local server`, args, env });
  } finally {
    server.close();
  }
}

async function printStartup(program: string, rounds: number, { what, args, env }: Target): Promise<void> {
  const version = await kubectlVersion();
  console.log(`\nFrom start to end, ${what}, ${rounds} times in turns:`);
  if (version === null) console.log("  Skipped, kubectl: it is not on PATH.");
  else console.log(`  kubectl ${version}; Node ${process.version}`);
  const kubectls: Contestant[] = [
    { name: GET.name, file: "kubectl", args: ["get", "pod", ...args, "-o", "json"] },
    { name: DESCRIBE.name, file: "kubectl", args: ["describe", "pod", ...args] },
  ];
  const contestants: Contestant[] = [
    ...(version === null ? [] : kubectls),
    { name: "kubectl-backoff explain", file: program, args: ["explain", ...args] },
    { name: "node that does nothing", file: "node", args: ["--eval", "0"] },
  ];
  console.log(startupTable(await measureInTurns(contestants, rounds, env), [GET, DESCRIBE]).join("\n"));
}

async function kubectlVersion(): Promise<string | null> {
  try {
    const answer = JSON.parse(await kubectl(["version", "--client", "--output=json"]));
    return answer.clientVersion.gitVersion;
  } catch (error) {
    if (error instanceof KubectlError && error.isMissing) return null;
    throw error;
  }
}

process.exitCode = await main(process.argv.slice(2));
