import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";

/** A command line to measure, and what to call it. */
export interface Contestant {
  readonly name: string;
  readonly file: string;
  readonly args: readonly string[];
}

/** What one run took. */
export interface Run {
  readonly tookMs: number;
  /** The most memory that was resident at any time; null where the system does not say, or nobody asked. */
  readonly peakBytes: number | null;
}

/**
 * Runs a command to its end, its output thrown away. With `lookEveryMs` its memory is read so often: the peak so far, so only that
 * of the last moments can be missed. Throws if the command fails.
 */
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

/** VmHWM of proc(5): Linux only. */
function peakOf(pid: number | undefined): number | null {
  try {
    const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    return kilobytes === undefined ? null : Number(kilobytes) * 1024;
  } catch {
    return null;
  }
}
