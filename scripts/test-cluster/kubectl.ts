import { execFile, spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { splitJson } from "../../src/cluster/files/parse-documents.ts";

export class KubectlError extends Error {
  override readonly name = "KubectlError";
  readonly isMissing: boolean;
  readonly output: string;

  constructor(message: string, isMissing: boolean, output: string) {
    super(message);
    this.isMissing = isMissing;
    this.output = output;
  }
}

export async function kubectl(args: readonly string[], input = ""): Promise<string> {
  const running = promisify(execFile)("kubectl", args, { maxBuffer: Number.POSITIVE_INFINITY });
  // kubectl may end before it has read its input; then its exit code says why.
  running.child.stdin?.on("error", () => {}).end(input);
  try {
    return (await running).stdout;
  } catch (error) {
    const { code, message, stdout, stderr } = error as Error & { code?: unknown; stdout: string; stderr: string };
    throw new KubectlError(stderr.trim().split("\n").at(-1) || message, code === "ENOENT", stdout);
  }
}

export interface WatchEvent {
  readonly type: string;
  readonly object: object;
}

const AGAIN_AFTER_MS = 1000;

/** Watches until `signal` aborts. A watch that ends is started again, and then reports all objects as added. */
export async function watch(
  args: readonly string[],
  onEvent: (event: WatchEvent) => void,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await watchOnce(args, onEvent, signal);
    if (!signal.aborted) await sleep(AGAIN_AFTER_MS);
  }
}

function watchOnce(args: readonly string[], onEvent: (event: WatchEvent) => void, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const options = ["--watch", "--output-watch-events", "--output=json"];
  const child = spawn("kubectl", [...args, ...options], { stdio: ["ignore", "pipe", "ignore"], signal });
  let pending = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    const { complete, rest } = splitJson(pending + text);
    pending = rest.text;
    for (const chunk of complete) onEvent(JSON.parse(chunk.text) as WatchEvent);
  });
  child.on("error", () => resolve());
  child.on("close", () => resolve());
  return promise;
}
