import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { bunFile } from "./bun-file.ts";

export interface TerminalRequest {
  readonly command: readonly string[];
  readonly columns: number;
  readonly rows: number;
  /** What a person types, in this order: `type`, as soon as the program has written `after` since the last entry. */
  readonly keys: readonly { readonly after: string; readonly type: string }[];
  readonly env?: NodeJS.ProcessEnv;
}

export interface TerminalRun {
  readonly exitCode: number;
  readonly output: string;
}

const IN_BUN = fileURLToPath(new URL("in-bun.ts", import.meta.url));
const MOST_MS = 60_000;

/** Throws if the program has not ended after a minute. */
export async function inTerminal(request: TerminalRequest): Promise<TerminalRun> {
  const { stdout } = await promisify(execFile)(bunFile(), [IN_BUN, JSON.stringify(request)], { timeout: MOST_MS });
  return JSON.parse(stdout);
}
