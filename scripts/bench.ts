import { linkSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Contestant, measureInTurns, measureRun, ratioLines } from "./bench/contest.ts";
import { farAwayLines } from "./bench/far-away.ts";
import { listLines } from "./bench/list.ts";
import { type RecordedServer, startRecordedServer } from "./bench/recorded-server.ts";
import { replayLines } from "./bench/replay.ts";
import { bundle } from "./build/bundle.ts";
import { compile } from "./compile/compile.ts";
import { KubectlError, kubectl } from "./test-cluster/kubectl.ts";

const USAGE = "Usage: npm run bench -- [--rounds N], at least 15";
const FEWEST_ROUNDS = 15;
const LOOK_EVERY_MS = 1;

async function main(args: string[]): Promise<number> {
  const rounds = roundsIn(args);
  if (rounds === null) {
    console.error(USAGE);
    return 2;
  }
  const folder = mkdtempSync(join(tmpdir(), "kubectl-backoff-bench-"));
  const file = join(folder, "kubectl-backoff");
  try {
    print("One explanation, from what was observed to what it means:", await replayLines());
    const version = await kubectlVersion();
    console.log(version === null ? "\nSkipped, kubectl: it is not on PATH." : `\nkubectl ${version}`);
    const hasKubectl = version !== null;
    compile(file);
    const server = await startRecordedServer();
    try {
      // Reading certificates of the environment would count as time of the program.
      const env = { ...process.env, NODE_EXTRA_CA_CERTS: "", KUBECACHEDIR: join(folder, "cache") };
      const lines = await startupLines(file, server, { folder, rounds, env, hasKubectl });
      print(`From start to end, a pod on a local server, ${rounds} times in turns:`, lines);
      if (hasKubectl) {
        const far = await farAwayLines(file, server, { folder, rounds, env });
        print("Through a link that delays, a Deployment's pod on a local server:", far);
      }
    } finally {
      await server.close();
    }
    const { tookMs } = await measureRun({ name: "strategies", file, args: ["strategies"] }, process.env, null);
    print("The experiment of `strategies`, once (the goal: less than 20 s):", [`  ${(tookMs / 1000).toFixed(1)} s`]);
    print("A list of all pods of a simulated cluster:", await listLines(file, hasKubectl));
  } finally {
    rmSync(folder, { recursive: true });
  }
  return 0;
}

function print(title: string, lines: readonly string[]): void {
  console.log(["", title, ...lines].join("\n"));
}

function roundsIn(args: string[]): number | null {
  try {
    const { values } = parseArgs({ args, options: { rounds: { type: "string", default: "31" } } });
    const rounds = Number(values.rounds);
    return Number.isInteger(rounds) && rounds >= FEWEST_ROUNDS ? rounds : null;
  } catch {
    return null;
  }
}

interface Startup {
  readonly folder: string;
  readonly rounds: number;
  readonly env: NodeJS.ProcessEnv;
  readonly hasKubectl: boolean;
}

async function startupLines(
  file: string,
  { pod, url, kubeconfig }: RecordedServer,
  { folder, rounds, env, hasKubectl }: Startup,
): Promise<string[]> {
  const [config, completion, script] = ["kubeconfig", "kubectl_complete-backoff", "script.js"].map((name) =>
    join(folder, name),
  ) as [string, string, string];
  writeFileSync(config, kubeconfig(url));
  linkSync(file, completion);
  writeFileSync(script, (await bundle("main.js")).code);
  const kubectls: Contestant[] = [
    { name: "kubectl get pod -o json", file: "kubectl", args: ["get", "pod", pod, "-o", "json"] },
    { name: "kubectl describe pod", file: "kubectl", args: ["describe", "pod", pod] },
    { name: "kubectl get pods", file: "kubectl", args: ["get", "pods"] },
  ];
  const own: Contestant[] = [
    { name: "kubectl-backoff explain", file, args: ["explain", pod] },
    { name: "kubectl-backoff (the list)", file, args: [] },
    { name: "kubectl-backoff version", file, args: ["version"] },
    { name: "completion of a flag's values", file: completion, args: ["explain", "-o", ""] },
    { name: "explain, the JavaScript file", file: process.execPath, args: [script, "explain", pod] },
  ];
  const withConfig = { ...env, KUBECONFIG: config };
  const runs = await measureInTurns([...(hasKubectl ? kubectls : []), ...own], rounds, withConfig);
  const peaks: string[] = [];
  for (const contestant of own) {
    const { peakBytes } = await measureRun(contestant, withConfig, LOOK_EVERY_MS);
    if (peakBytes !== null) peaks.push(`  Peak memory of ${contestant.name}: ${(peakBytes / 1e6).toFixed(0)} MB`);
  }
  return [...ratioLines(runs, ["kubectl get pod -o json", "kubectl describe pod"]), ...peaks];
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
