import { readTextFile } from "../lab/recordings/text-file.ts";
import { type Difference, replayAll } from "./vectors/replay.ts";

const SHOWN = 10;

function main(path: string | undefined): number {
  if (path === undefined) {
    console.error("Usage: npm run vectors -- FILE");
    return 2;
  }
  try {
    const { traces, operations, differences } = replayAll(readTextFile(path));
    for (const difference of differences.slice(0, SHOWN)) console.log(describe(difference));
    if (differences.length > SHOWN) console.log(`… and ${differences.length - SHOWN} more`);
    console.log(`${traces} traces, ${operations} operations, ${differences.length} differ`);
    return differences.length > 0 ? 1 : 0;
  } catch (error) {
    console.error(`Cannot replay ${path}: ${(error as Error).message}`);
    return 1;
  }
}

function describe({ trace, opIndex, op, got }: Difference): string {
  const { result, ...call } = op;
  return `trace ${trace}, op ${opIndex}: ${JSON.stringify(call)}: expected ${JSON.stringify(result)}, got ${JSON.stringify(got)}`;
}

process.exitCode = main(process.argv[2]);
