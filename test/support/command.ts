import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, vi } from "vitest";
import { main } from "../../src/main.ts";
import { commandFor } from "./command-for.ts";

export interface Run {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

let printed = { stdout: "", stderr: "" };

export async function oncePrinted(words: string | RegExp): Promise<void> {
  const isPrinted = (): void => expect(printed.stdout + printed.stderr).toMatch(words);
  await vi.waitFor(isPrinted, { timeout: 45_000, interval: 20 });
}

/** Runs `kubectl backoff` in the process of the test. runFile() starts a process of its own. */
export async function run(...argv: readonly string[]): Promise<Run> {
  printed = { stdout: "", stderr: "" };
  const spies = (["stdout", "stderr"] as const).map((stream) =>
    vi.spyOn(process[stream], "write").mockImplementation((text, ...rest: unknown[]) => {
      printed[stream] += String(text);
      const onWritten = rest.at(-1);
      if (typeof onWritten === "function") onWritten();
      return true;
    }),
  );
  // oclif prints help with console.log(), and vitest replaces the console.
  const log = vi.spyOn(console, "log").mockImplementation((text) => {
    printed.stdout += `${text}\n`;
  });
  try {
    return { exitCode: await main(argv), ...printed };
  } finally {
    for (const spy of [...spies, log]) spy.mockRestore();
  }
}

/** Fails the test unless stdout ends with a line break, stderr is empty and the exit code is right. */
export async function stdoutOf(argv: readonly string[], exitCode = 0): Promise<string> {
  const result = await run(...argv);
  expect(result).toEqual({ exitCode, stdout: expect.stringMatching(/\n$/), stderr: "" });
  return result.stdout;
}

// biome-ignore lint/suspicious/noExplicitAny: a test looks at any field of it
export async function jsonOf(...argv: readonly string[]): Promise<any> {
  return JSON.parse(await stdoutOf([...argv, "-o", "json"]));
}

/** Fails the test unless stderr is an error of one or two lines, stdout is empty and the exit code is right. */
export async function stderrOf(argv: readonly string[], exitCode: 1 | 2): Promise<string> {
  const result = await run(...argv);
  expect(result).toEqual({ exitCode, stdout: "", stderr: expect.stringMatching(/^Error: .+\n(.+\n)?$/) });
  return result.stderr;
}

export function repositoryFile(path: string): string {
  return fileURLToPath(new URL(`../../${path}`, import.meta.url));
}

const OLDER_NODE = `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.20.2" } });`;
/** Flags of Node that make a program believe that it runs under an older Node. */
export const AS_OLDER_NODE = ["--import", `data:text/javascript,${encodeURIComponent(OLDER_NODE)}`] as const;

export async function runFile(
  file: string,
  argv: readonly string[],
  options: { input?: string; cwd?: string; nodeFlags?: readonly string[]; env?: NodeJS.ProcessEnv } = {},
): Promise<Run> {
  const { nodeFlags = [], cwd, env } = options;
  const [command, ...args] = commandFor(file, nodeFlags);
  const child = spawn(command, [...args, ...argv], { cwd, env: { ...process.env, ...env } });
  const ended = new Promise<number>((resolve) => child.on("close", (code) => resolve(code ?? NO_EXIT_CODE)));
  // A program may end without reading its stdin, which breaks the pipe.
  child.stdin.on("error", () => {}).end(options.input ?? "");
  const [exitCode, stdout, stderr] = await Promise.all([ended, textOf(child.stdout), textOf(child.stderr)]);
  return { exitCode, stdout, stderr };
}

/** The exit code that runFile() returns for a program that a signal ended. */
const NO_EXIT_CODE = -1;

async function textOf(stream: ChildProcess["stdout"]): Promise<string> {
  let text = "";
  for await (const chunk of stream ?? []) text += String(chunk);
  return text;
}
