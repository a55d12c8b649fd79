import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { tableLines } from "../calibration/report.ts";

export interface Contestant {
  readonly name: string;
  readonly file: string;
  readonly args: readonly string[];
}

export interface Run {
  readonly tookMs: number;
  /** The peak of the resident memory; null if it was not measured. */
  readonly peakBytes: number | null;
}

/** Reads the peak of the command's memory every `lookEveryMs`. Rejects if the command fails. */
export function measureRun(
  { name, file, args }: Contestant,
  env: NodeJS.ProcessEnv,
  lookEveryMs: number | null,
): Promise<Run> {
  const { promise, resolve, reject } = Promise.withResolvers<Run>();
  const startedAtMs = performance.now();
  const child = spawn(file, args, { env, stdio: ["ignore", "ignore", "pipe"] });
  let [errors, peakBytes] = ["", null as number | null];
  const look = (): void => {
    peakBytes = peakOf(child.pid) ?? peakBytes;
  };
  const looks = lookEveryMs === null ? undefined : setInterval(look, lookEveryMs);
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    errors += text;
  });
  child.on("error", reject);
  child.on("close", (code) => {
    clearInterval(looks);
    if (code === 0) resolve({ tookMs: performance.now() - startedAtMs, peakBytes });
    else reject(new Error(`${name} ended with ${code}: ${errors.trim()}`));
  });
  return promise;
}

function peakOf(pid: number | undefined): number | null {
  try {
    const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    return kilobytes === undefined ? null : Number(kilobytes) * 1024;
  } catch {
    return null;
  }
}

export async function measureInTurns(
  contestants: readonly Contestant[],
  rounds: number,
  env: NodeJS.ProcessEnv,
  { warmUps = 1, lookEveryMs = null }: { readonly warmUps?: number; readonly lookEveryMs?: number | null } = {},
): Promise<Map<string, Run[]>> {
  const runs = new Map<string, Run[]>(contestants.map(({ name }) => [name, []]));
  for (let round = -warmUps; round < rounds; round++)
    for (const contestant of contestants) {
      const run = await measureRun(contestant, env, lookEveryMs);
      if (round >= 0) runs.get(contestant.name)?.push(run);
    }
  return runs;
}

export function ratioLines(runs: ReadonlyMap<string, readonly Run[]>, bases: readonly string[]): string[] {
  const known = bases.filter((name) => runs.has(name));
  const rows = [...runs].map(([name, own]) => {
    const peaks = own.flatMap(({ peakBytes }) => peakBytes ?? []);
    return [
      name,
      `${medianMs(own).toFixed(1)} ms`,
      ...known.map((base) => (medianMs(own) / medianMs(runs.get(base))).toFixed(2)),
      ...(peaks.length === 0 ? [] : [`${Math.round(Math.max(...peaks) / 1e6)} MB`]),
    ];
  });
  const head = ["", "median", ...known.map((base) => `x ${base}`)];
  const hasMemory = rows.some((row) => row.length > head.length);
  return tableLines([[...head, ...(hasMemory ? ["memory"] : [])], ...rows]).map((line) => `  ${line}`);
}

export function medianMs(runs: readonly Run[] = []): number {
  return percentile(
    runs.map(({ tookMs }) => tookMs),
    0.5,
  );
}

/** Returns the percentile by the nearest-rank method; `share` is from 0 to 1. Returns NaN if there are no values. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.max(Math.ceil(share * sorted.length) - 1, 0)] ?? Number.NaN;
}
