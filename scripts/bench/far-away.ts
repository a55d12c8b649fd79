import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { startLink } from "../../lab/network/link.ts";
import type { Contestant } from "./measure-run.ts";
import type { RecordedServer } from "./recorded-server.ts";
import { measureInTurns, percentile } from "./startup.ts";

const ROUND_TRIPS_MS = [0, 30, 100];

/** The columns: a command of the program, and the command of kubectl whose time is 1. */
const RATIOS = [
  { name: "explain", base: "get" },
  { name: "explain", base: "describe" },
  { name: "list", base: "get pods" },
  { name: "eta", base: "get pods" },
] as const;

/** Measures the commands of `program` and of kubectl through links to `server` with several round trips. */
export async function farAwayLines(
  program: string,
  server: RecordedServer,
  { folder, rounds, env }: { readonly folder: string; readonly rounds: number; readonly env: NodeJS.ProcessEnv },
): Promise<string[]> {
  const { pod } = server;
  const contestants: readonly Contestant[] = [
    { name: "get", file: "kubectl", args: ["get", "pod", pod, "-o", "json"] },
    { name: "describe", file: "kubectl", args: ["describe", "pod", pod] },
    { name: "get pods", file: "kubectl", args: ["get", "pods"] },
    { name: "explain", file: program, args: ["explain", pod] },
    { name: "list", file: program, args: ["list"] },
    { name: "eta", file: program, args: ["eta"] },
  ];
  const heads = RATIOS.map(({ name, base }) => `${name} x ${base}`);
  const lines = [["round trip", ...heads].join("  ")];
  for (const roundTripMs of ROUND_TRIPS_MS) {
    const link = await startLink(server.url, roundTripMs);
    const kubeconfig = join(folder, `kubeconfig-${roundTripMs}`);
    writeFileSync(kubeconfig, server.kubeconfig(link.url));
    const times = await measureInTurns(contestants, rounds, { ...env, KUBECONFIG: kubeconfig });
    link.close();
    const medianOf = (name: string): number => percentile(times.get(name) ?? [], 0.5);
    const ratios = RATIOS.map(({ name, base }) => (medianOf(name) / medianOf(base)).toFixed(2));
    const cells = ratios.map((ratio, index) => ratio.padStart(heads[index]?.length ?? 0));
    lines.push([`${roundTripMs} ms`.padStart("round trip".length), ...cells].join("  "));
  }
  return lines.map((line) => `  ${line}`);
}
