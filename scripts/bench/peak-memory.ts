import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Contestant } from "./startup.ts";

const SAY_PEAK = `process.on("exit", () => require("node:fs").writeSync(2, "peak " + process.resourceUsage().maxRSS));`;

/** The most memory that a program on Node had at any time of one run, in MiB; `folder` is for a file. */
export async function peakMemoryMiB(
  { file, args }: Contestant,
  env: NodeJS.ProcessEnv,
  folder: string,
): Promise<number> {
  const hook = join(folder, "say-peak.cjs");
  writeFileSync(hook, SAY_PEAK);
  const { stderr } = await promisify(execFile)(file, args, { env: { ...env, NODE_OPTIONS: `--require=${hook}` } });
  return Number(/peak (\d+)/.exec(stderr)?.[1]) / 1024;
}
