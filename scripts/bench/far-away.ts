import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { startLink } from "../../lab/network/link.ts";
import { tableLines } from "../calibration/report.ts";
import { type Contestant, measureInTurns, medianMs } from "./contest.ts";
import type { RecordedServer } from "./recorded-server.ts";

const ROUND_TRIPS_MS = [0, 30, 100];

const RATIOS = [
  { name: "explain", base: "get" },
  { name: "explain", base: "describe" },
  { name: "list", base: "get pods" },
  { name: "eta", base: "get pods" },
] as const;

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
  const rows = [["round trip", ...RATIOS.map(({ name, base }) => `${name} x ${base}`)]];
  for (const roundTripMs of ROUND_TRIPS_MS) {
    const link = await startLink(server.url, { roundTripMs });
    const kubeconfig = join(folder, `kubeconfig-${roundTripMs}`);
    writeFileSync(kubeconfig, server.kubeconfig(link.url));
    const runs = await measureInTurns(contestants, rounds, { ...env, KUBECONFIG: kubeconfig });
    link.close();
    const ratios = RATIOS.map(({ name, base }) => medianMs(runs.get(name)) / medianMs(runs.get(base)));
    rows.push([`${roundTripMs} ms`, ...ratios.map((ratio) => ratio.toFixed(2))]);
  }
  return tableLines(rows).map((line) => `  ${line}`);
}
