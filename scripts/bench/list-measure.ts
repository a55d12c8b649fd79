import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import type { Contestant } from "./startup.ts";

/** What one run took. */
export interface ListRun {
  readonly tookMs: number;
  /** The most memory that was resident at any time; null where the system does not say. */
  readonly peakBytes: number | null;
}

/** Often enough: what is read is the peak so far, so only that of the last moments can be missed. */
const LOOK_EVERY_MS = 10;

/** Runs a command to its end, its output thrown away. */
export function measureRun({ name, file, args }: Contestant, env: NodeJS.ProcessEnv): Promise<ListRun> {
  const { promise, resolve, reject } = Promise.withResolvers<ListRun>();
  const startedAtMs = performance.now();
  const child = spawn(file, args, { env, stdio: ["ignore", "ignore", "pipe"] });
  let [errors, peakBytes] = ["", null as number | null];
  const looks = setInterval(() => {
    peakBytes = peakOf(child.pid) ?? peakBytes;
  }, LOOK_EVERY_MS);
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

/** VmHWM of proc(5): Linux only. */
function peakOf(pid: number | undefined): number | null {
  try {
    const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    return kilobytes === undefined ? null : Number(kilobytes) * 1024;
  } catch {
    return null;
  }
}
