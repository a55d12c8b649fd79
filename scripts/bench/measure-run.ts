import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";

export interface Contestant {
  readonly name: string;
  readonly file: string;
  readonly args: readonly string[];
}

export interface Run {
  readonly tookMs: number;
  /** The most resident memory; null if not measured, or not on Linux. */
  readonly peakBytes: number | null;
}

/**
 * Runs a command and discards its output. With `lookEveryMs`, reads the peak of its memory this often. Throws if the
 * command fails.
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
