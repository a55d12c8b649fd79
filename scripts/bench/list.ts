import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { compile } from "../compile/compile.ts";
import { type Contestant, measureRun, type Run } from "./measure-run.ts";
import { percentile } from "./startup.ts";

interface ListSize {
  readonly pods: number;
  /** Down and evenly scattered, which is the worst case. */
  readonly looping: number;
  readonly rounds: number;
}

/** From a small cluster to more than the largest one that Kubernetes supports. */
const LIST_SIZES: readonly ListSize[] = [
  { pods: 1_000, looping: 20, rounds: 7 },
  { pods: 10_000, looping: 200, rounds: 3 },
  { pods: 100_000, looping: 2_000, rounds: 1 },
];

const LIST = "kubectl-backoff list -A";
const GET = "kubectl get pods -A";
const LOOK_EVERY_MS = 10;

/**
 * Time and memory of `list -A` by the executable `program`, and of `kubectl get pods -A` if installed, in turns on the
 * same simulated server.
 */
export async function listLines(
  program: string,
  hasKubectl: boolean,
  sizes: readonly ListSize[] = LIST_SIZES,
): Promise<string[]> {
  const lines: string[] = [];
  for (const size of sizes) lines.push(...(await linesOf(program, hasKubectl, size)));
  return lines;
}

async function linesOf(program: string, hasKubectl: boolean, size: ListSize): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), "kubectl-backoff-list-"));
  const kubeconfig = join(folder, "kubeconfig");
  const server = await startServer(kubeconfig, size);
  try {
    const env = { ...process.env, KUBECONFIG: kubeconfig, KUBECACHEDIR: join(folder, "cache") };
    const contestants: Contestant[] = [
      { name: LIST, file: program, args: ["list", "-A", "-o", "json"] },
      ...(hasKubectl ? [{ name: GET, file: "kubectl", args: ["get", "pods", "-A"] }] : []),
    ];
    return tableOf(size, await inTurns(contestants, size.rounds, env));
  } finally {
    server.kill();
    rmSync(folder, { recursive: true });
  }
}

async function startServer(kubeconfig: string, { pods, looping }: ListSize): Promise<ChildProcess> {
  const file = fileURLToPath(new URL("list-server.ts", import.meta.url));
  const server = spawn(process.execPath, [file, kubeconfig, `${pods}`, `${looping}`], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  await once(server.stdout, "data");
  return server;
}

async function inTurns(
  contestants: readonly Contestant[],
  rounds: number,
  env: NodeJS.ProcessEnv,
): Promise<Map<string, Run[]>> {
  const runs = new Map<string, Run[]>(contestants.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round++)
    for (const contestant of contestants)
      runs.get(contestant.name)?.push(await measureRun(contestant, env, LOOK_EVERY_MS));
  return runs;
}

function tableOf({ pods, looping }: ListSize, runs: ReadonlyMap<string, readonly Run[]>): string[] {
  const base = medianMs(runs.get(GET) ?? []);
  const rows = [...runs].map(([name, ofName]) => {
    const tookMs = medianMs(ofName);
    const peaks = ofName.flatMap(({ peakBytes }) => peakBytes ?? []);
    const memory = peaks.length === 0 ? "" : `${Math.round(Math.max(...peaks) / 1e6)} MB`;
    const ratio = Number.isNaN(base) ? "" : (tookMs / base).toFixed(2);
    return `  ${name.padEnd(LIST.length)}  ${`${(tookMs / 1000).toFixed(2)} s`.padStart(9)}  ${ratio.padStart(5)}  ${memory.padStart(8)}`;
  });
  const counts = [pods, looping].map((count) => count.toLocaleString("en-US"));
  const head = `${"".padEnd(LIST.length)}  ${"median".padStart(9)}  ${"ratio".padStart(5)}  ${"peak".padStart(8)}`;
  return [`${counts[0]} pods, ${counts[1]} of them down:`, `  ${head}`, ...rows];
}

function medianMs(runs: readonly Run[]): number {
  return percentile(
    runs.map(({ tookMs }) => tookMs),
    0.5,
  );
}

/** `node scripts/bench/list.ts [PODS]` measures one size. */
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const only = Number(process.argv[2]);
  const program = join(mkdtempSync(join(tmpdir(), "kubectl-backoff-list-")), "kubectl-backoff");
  compile(program);
  const sizes = LIST_SIZES.filter(({ pods }) => Number.isNaN(only) || pods === only);
  console.log((await listLines(program, true, sizes)).join("\n"));
  rmSync(join(program, ".."), { recursive: true });
}
