import { type Contestant, measureRun } from "./measure-run.ts";

/** Milliseconds from start to end of each process, by contestant; they run in turns. */
export async function measureInTurns(
  contestants: readonly Contestant[],
  rounds: number,
  env: NodeJS.ProcessEnv,
): Promise<Map<string, number[]>> {
  const times = new Map<string, number[]>(contestants.map(({ name }) => [name, []]));
  // The first round fills caches, those of the disk and of the programs themselves, and does not count.
  for (const contestant of contestants) await measureRun(contestant, env, null);
  for (let round = 0; round < rounds; round++) {
    for (const contestant of contestants) {
      const { tookMs } = await measureRun(contestant, env, null);
      times.get(contestant.name)?.push(tookMs);
    }
  }
  return times;
}

/** A column of ratios: its heading, and the contestant whose median is 1. */
export interface Base {
  readonly head: string;
  readonly name: string;
}

/** Medians, and their ratios to the bases that were measured. */
export function startupTable(times: ReadonlyMap<string, readonly number[]>, bases: readonly Base[]): string[] {
  const medians = new Map([...times].map(([name, values]) => [name, percentile(values, 0.5)]));
  const columns = bases.filter(({ name }) => medians.has(name));
  const width = Math.max(...[...medians.keys()].map((name) => name.length));
  const row = (cells: readonly string[]) => `  ${cells.join("  ")}`;
  const header = row(["".padEnd(width), "median".padStart(9), ...columns.map(({ head }) => head)]);
  const rows = [...medians].map(([name, medianMs]) => {
    const ratios = columns.map((base) => ratio(medianMs, medians.get(base.name)).padStart(base.head.length));
    return row([name.padEnd(width), `${medianMs.toFixed(1)} ms`.padStart(9), ...ratios]);
  });
  return [header, ...rows];
}

function ratio(medianMs: number, baseMs: number | undefined): string {
  return (medianMs / (baseMs ?? Number.NaN)).toFixed(2);
}

/** The value that this share (0 to 1) of the values does not exceed, e.g. 0.5: the median; NaN if there are none. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((left, right) => left - right);
  const index = Math.max(Math.ceil(share * sorted.length) - 1, 0);
  return sorted[index] ?? Number.NaN;
}
