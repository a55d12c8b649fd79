import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import manifest from "../package.json" with { type: "json" };
import { findExample } from "../src/cluster/examples.ts";
import { findClusterPod } from "./bench/cluster-pod.ts";
import { unpackProgram } from "./bench/packaged-program.ts";
import { peakMemoryMiB } from "./bench/peak-memory.ts";
import { startRecordedServer } from "./bench/recorded-server.ts";
import { replayLines } from "./bench/replay.ts";
import { type Base, type Contestant, measureInTurns, startupTable } from "./bench/startup.ts";
import { KubectlError, kubectl } from "./test-cluster/kubectl.ts";

const USAGE = "Usage: npm run bench -- [--rounds N] [--local] [--release FOLDER]";
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

interface Settings {
  readonly rounds: number;
  readonly local: boolean;
  /** Where `npm run package` has left its archives. */
  readonly release: string;
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

function settingsFrom(args: string[]): Settings | null {
  const options = { rounds: { type: "string" }, local: { type: "boolean" }, release: { type: "string" } } as const;
  try {
    const { rounds: text = "31", local = false, release = "dist/release" } = parseArgs({ args, options }).values;
    const rounds = Number(text);
    return Number.isInteger(rounds) && rounds >= FEWEST_ROUNDS ? { rounds, local, release } : null;
  } catch {
    return null;
  }
}

async function benchStartup(folder: string, settings: Settings): Promise<void> {
  // To read more certificates is not the program's doing, and what it compiles is not to stay.
  const env = {
    ...process.env,
    NODE_EXTRA_CA_CERTS: "",
    XDG_CACHE_HOME: join(folder, "compiled"),
    KUBECACHEDIR: join(folder, "cache"),
  };
  const found = settings.local ? { unusable: "not asked for" } : await findClusterPod();
  if ("pod" in found) {
    const what = `pod ${found.pod} on ${found.server}`;
    return printStartup(folder, settings, { what, args: [found.pod], env });
  }
  console.log(`\nSkipped, the cluster: ${found.unusable}. A local server answers instead, from a recording.`);
  const server = await startRecordedServer(findExample(undefined));
  try {
    const kubeconfig = join(folder, "kubeconfig");
    writeFileSync(kubeconfig, server.kubeconfig);
    const target = { args: [server.pod, "--namespace", server.namespace], env: { ...env, KUBECONFIG: kubeconfig } };
    await printStartup(folder, settings, { what: `pod ${server.pod} on the local server`, ...target });
  } finally {
    server.close();
  }
}

async function printStartup(folder: string, settings: Settings, { what, args, env }: Target): Promise<void> {
  const version = await kubectlVersion();
  console.log(`\nFrom start to end, ${what}, ${settings.rounds} times in turns:`);
  if (version === null) console.log("  Skipped, kubectl: it is not on PATH.");
  else console.log(`  kubectl ${version}; Node ${process.version}`);
  const kubectls: Contestant[] = [
    { name: GET.name, file: "kubectl", args: ["get", "pod", ...args, "-o", "json"] },
    { name: DESCRIBE.name, file: "kubectl", args: ["describe", "pod", ...args] },
  ];
  const own = programs(folder, settings.release).map((program) => ({ ...program, args: ["explain", ...args] }));
  const idle: Contestant = { name: "node that does nothing", file: "node", args: ["--eval", "0"] };
  const contestants = [...(version === null ? [] : kubectls), ...own, idle];
  console.log(startupTable(await measureInTurns(contestants, settings.rounds, env), [GET, DESCRIBE]).join("\n"));
  for (const contestant of own) {
    console.log(
      `  Peak memory of ${contestant.name}: ${(await peakMemoryMiB(contestant, env, folder)).toFixed(0)} MiB`,
    );
  }
}

/** The program as it is built, and as it comes in the archive for this machine, if there is one. */
function programs(folder: string, release: string): Omit<Contestant, "args">[] {
  const built = join(folder, "kubectl-backoff");
  execFileSync(process.execPath, ["scripts/build.ts", built]);
  const packaged = unpackProgram(release, manifest.version, folder);
  if (packaged === null) console.log(`  Skipped, the program of the archive: npm run package makes it.`);
  return [
    { name: "kubectl-backoff explain", file: built },
    ...(packaged === null ? [] : [{ name: "the same, of the archive", file: packaged }]),
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
