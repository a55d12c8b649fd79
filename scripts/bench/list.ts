import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Contestant, measureInTurns, ratioLines } from "./contest.ts";

interface ListSize {
  readonly pods: number;
  readonly troubled: number;
  readonly rounds: number;
}

/** Kubernetes supports up to 150,000 pods. */
const LIST_SIZES: readonly ListSize[] = [
  { pods: 1_000, troubled: 20, rounds: 7 },
  { pods: 10_000, troubled: 200, rounds: 3 },
  { pods: 100_000, troubled: 2_000, rounds: 1 },
];

const GET = "kubectl get pods -A";
const LOOK_EVERY_MS = 10;

export async function listLines(program: string, hasKubectl: boolean): Promise<string[]> {
  const lines: string[] = [];
  for (const size of LIST_SIZES) lines.push(...(await linesOf(program, hasKubectl, size)));
  return lines;
}

async function linesOf(program: string, hasKubectl: boolean, size: ListSize): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), "kubectl-backoff-list-"));
  const kubeconfig = join(folder, "kubeconfig");
  const server = await startServer(kubeconfig, size);
  try {
    const env = { ...process.env, KUBECONFIG: kubeconfig, KUBECACHEDIR: join(folder, "cache") };
    const contestants: Contestant[] = [
      { name: "kubectl-backoff list -A", file: program, args: ["list", "-A", "-o", "json"] },
      ...(hasKubectl ? [{ name: GET, file: "kubectl", args: ["get", "pods", "-A"] }] : []),
    ];
    const runs = await measureInTurns(contestants, size.rounds, env, { warmUps: 0, lookEveryMs: LOOK_EVERY_MS });
    const [pods, troubled] = [size.pods, size.troubled].map((count) => count.toLocaleString("en-US"));
    return [`${pods} pods, ${troubled} of them down:`, ...ratioLines(runs, [GET])];
  } finally {
    server.kill();
    rmSync(folder, { recursive: true });
  }
}

async function startServer(kubeconfig: string, { pods, troubled }: ListSize): Promise<ChildProcess> {
  const file = fileURLToPath(new URL("list-server.ts", import.meta.url));
  const server = spawn(process.execPath, [file, kubeconfig, `${pods}`, `${troubled}`], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  await once(server.stdout, "data");
  return server;
}
