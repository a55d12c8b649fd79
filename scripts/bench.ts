import { linkSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { findClusterPod } from "./bench/cluster-pod.ts";
import { farAwayLines } from "./bench/far-away.ts";
import { listLines } from "./bench/list.ts";
import { type Contestant, measureRun } from "./bench/measure-run.ts";
import { startRecordedServer } from "./bench/recorded-server.ts";
import { replayLines } from "./bench/replay.ts";
import { type Base, measureInTurns, startupTable } from "./bench/startup.ts";
import { bundle } from "./build/bundle.ts";
import { compile } from "./compile/compile.ts";
import { KubectlError, kubectl } from "./test-cluster/kubectl.ts";

const USAGE = "Usage: npm run bench -- [--rounds N] [--local]";
const EXECUTABLE = "kubectl-backoff";
const FEWEST_ROUNDS = 15;
const LOOK_EVERY_MS = 1;
const GET: Base = { head: "x get", name: "kubectl get pod -o json" };
const DESCRIBE: Base = { head: "x describe", name: "kubectl describe pod" };

interface Target {
  readonly what: string;
  /** After the name of each command. */
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

interface Settings {
  readonly rounds: number;
  readonly local: boolean;
}

/**
 * Prints how fast an explanation is, and how fast the program starts and lists compared with kubectl; asserts nothing.
 */
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
    const file = join(folder, EXECUTABLE);
    await benchFarAway(file, folder, settings);
    const { tookMs } = await measureRun({ name: "strategies", file, args: ["strategies"] }, process.env, null);
    console.log(
      `\nThe experiment of \`strategies\`, once: ${(tookMs / 1000).toFixed(1)} s (the goal: less than 20 s).`,
    );
    console.log("\nA list of all pods of a simulated cluster:");
    console.log((await listLines(file, (await kubectlVersion()) !== null)).join("\n"));
  } finally {
    rmSync(folder, { recursive: true });
  }
  return 0;
}

function settingsFrom(args: string[]): Settings | null {
  const options = { rounds: { type: "string" }, local: { type: "boolean" } } as const;
  try {
    const { rounds: text = "31", local = false } = parseArgs({ args, options }).values;
    const rounds = Number(text);
    return Number.isInteger(rounds) && rounds >= FEWEST_ROUNDS ? { rounds, local } : null;
  } catch {
    return null;
  }
}

async function benchStartup(folder: string, settings: Settings): Promise<void> {
  // Reading more certificates is not the program's doing.
  const env = { ...process.env, NODE_EXTRA_CA_CERTS: "", KUBECACHEDIR: join(folder, "cache") };
  const found = settings.local ? { unusable: "not asked for" } : await findClusterPod();
  if ("pod" in found) {
    const what = `pod ${found.pod} on ${found.server}`;
    return printStartup(folder, settings, { what, args: [found.pod], env });
  }
  console.log(`\nSkipped, the cluster: ${found.unusable}. A local server answers instead, from a recording.`);
  const server = await startRecordedServer();
  try {
    const kubeconfig = join(folder, "kubeconfig");
    writeFileSync(kubeconfig, server.kubeconfig(server.url));
    const target = { args: [server.pod], env: { ...env, KUBECONFIG: kubeconfig } };
    await printStartup(folder, settings, { what: `pod ${server.pod} on the local server`, ...target });
  } finally {
    await server.close();
  }
}

async function benchFarAway(program: string, folder: string, { rounds }: Settings): Promise<void> {
  console.log("\nThrough a link that delays, a Deployment's pod on a local server:");
  if ((await kubectlVersion()) === null) return console.log("  Skipped: kubectl is not on PATH.");
  const server = await startRecordedServer();
  const env = { ...process.env, NODE_EXTRA_CA_CERTS: "", KUBECACHEDIR: join(folder, "far-cache") };
  try {
    console.log((await farAwayLines(program, server, { folder, rounds, env })).join("\n"));
  } finally {
    await server.close();
  }
}

async function printStartup(folder: string, { rounds }: Settings, { what, args, env }: Target): Promise<void> {
  const version = await kubectlVersion();
  console.log(`\nFrom start to end, ${what}, ${rounds} times in turns:`);
  if (version === null) console.log("  Skipped, kubectl: it is not on PATH.");
  else console.log(`  kubectl ${version}; Node ${process.version}`);
  const kubectls: Contestant[] = [
    { name: GET.name, file: "kubectl", args: ["get", "pod", ...args, "-o", "json"] },
    { name: DESCRIBE.name, file: "kubectl", args: ["describe", "pod", ...args] },
    { name: "kubectl get pods", file: "kubectl", args: ["get", "pods"] },
  ];
  const own = await programs(folder, args);
  const contestants = [...(version === null ? [] : kubectls), ...own];
  console.log(startupTable(await measureInTurns(contestants, rounds, env), [GET, DESCRIBE]).join("\n"));
  for (const contestant of own) {
    const { peakBytes } = await measureRun(contestant, env, LOOK_EVERY_MS);
    if (peakBytes !== null) console.log(`  Peak memory of ${contestant.name}: ${(peakBytes / 1e6).toFixed(0)} MB`);
  }
}

/** The most frequent commands of the executable, and an explanation by the JavaScript file on this Node. */
async function programs(folder: string, args: readonly string[]): Promise<Contestant[]> {
  const [executable, completion] = [join(folder, EXECUTABLE), join(folder, "kubectl_complete-backoff")];
  const script = join(folder, "script.js");
  compile(executable);
  linkSync(executable, completion);
  writeFileSync(script, (await bundle("main.js")).code);
  return [
    { name: "kubectl-backoff explain", file: executable, args: ["explain", ...args] },
    { name: "kubectl-backoff (the list)", file: executable, args: [] },
    { name: "kubectl-backoff version", file: executable, args: ["version"] },
    { name: "completion of a flag's values", file: completion, args: ["explain", "-o", ""] },
    { name: "explain, the JavaScript file", file: process.execPath, args: [script, "explain", ...args] },
  ];
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
