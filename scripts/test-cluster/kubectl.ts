import { spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { splitJson } from "../../src/cluster/files/parse-documents.ts";

/** The message is the last line that kubectl wrote. */
export class KubectlError extends Error {
  override readonly name = "KubectlError";
  readonly isMissing: boolean;
  /** What it printed before it failed. */
  readonly output: string;

  constructor(message: string, isMissing: boolean, output: string) {
    super(message);
    this.isMissing = isMissing;
    this.output = output;
  }
}

export function kubectl(args: readonly string[], input = ""): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const child = spawn("kubectl", args, { stdio: ["pipe", "pipe", "pipe"] });
  let output = "";
  let errors = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (output += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (errors += text));
  child.on("error", (error) => reject(new KubectlError(error.message, true, "")));
  child.on("close", (code) => {
    if (code === 0) return resolve(output);
    const lastLine = errors.trim().split("\n").at(-1) ?? "";
    reject(new KubectlError(lastLine || `kubectl ended with ${code}`, false, output));
  });
  child.stdin.on("error", () => {}); // What it did not read, its exit code tells.
  child.stdin.end(input);
  return promise;
}

/** One event of a watch, as `kubectl get --output-watch-events` prints it. */
export interface WatchEvent {
  readonly type: string;
  readonly object: object;
}

const AGAIN_AFTER_MS = 1000;

/** Watches until `signal` aborts; a watch that ends is started again, and then reports all objects as added. */
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
