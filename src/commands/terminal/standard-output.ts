import { constants, readFileSync, readlinkSync } from "node:fs";
import type { Environment } from "../../cluster/connection/kubeconfig-files.ts";
import { printable, UserError } from "../../errors.ts";
import { inAscii } from "../../render/page/paint.ts";
import { FAILED } from "./exit-codes.ts";

const pending = new Set<Promise<void>>();

let stdoutFailure: "reader-gone" | "unwritable" | null = null;

let endingSignal: NodeJS.Signals | null = null;

/**
 * If stdout is no terminal, a first signal must not end the program before the operating system has taken all output.
 */
export function prepareOutput(): void {
  if (standardOutput().isTTY) return;
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, onSignal);
}

/** Also resolves if the writing fails, e.g. because the disk is full. */
export function print(text: string): Promise<void> {
  const stdout = standardOutput();
  if (isOutputClosed()) {
    reportFailure(new UserError("outputClosed"));
    return Promise.resolve();
  }
  return written(stdout, text);
}

export function say(text: string): void {
  if (!process.stderr.listeners("error").includes(ignore)) process.stderr.on("error", ignore);
  // The text can contain names and messages of a cluster, which must not control the terminal.
  void written(process.stderr, `${text.split("\n").map(printable).join("\n")}\n`);
}

export function standardOutput(): NodeJS.WriteStream {
  if (!process.stdout.listeners("error").includes(onOutputError)) process.stdout.on("error", onOutputError);
  return process.stdout;
}

/**
 * Ends the program once each write to stdout and stderr has ended or failed. Does not wait e.g. for a name server that
 * never answers.
 */
export async function leave(exitCode: number): Promise<void> {
  await whenWritten();
  const signal = endingSignal ?? (stdoutFailure === "reader-gone" ? "SIGPIPE" : null);
  if (signal !== null) endBy(signal);
  process.exit(stdoutFailure === "unwritable" ? FAILED : exitCode);
}

async function whenWritten(): Promise<void> {
  while (pending.size > 0) await Promise.all(pending);
}

/** Waits for the callback of the write, because Bun and Node can keep output in their own memory. */
function written(stream: NodeJS.WriteStream, text: string): Promise<void> {
  const writing = new Promise<void>((resolve) => {
    stream.write(text, (error) => {
      // The stream's event "error" can come later, when the program may have ended.
      if (error && stream === process.stdout) onOutputError(error);
      resolve();
    });
  });
  return tracked(writing);
}

function tracked(writing: Promise<void>): Promise<void> {
  pending.add(writing);
  return writing.then(() => void pending.delete(writing));
}

function ignore(): void {}

function onOutputError(error: NodeJS.ErrnoException): void {
  if (error.code === "EPIPE") stdoutFailure ??= "reader-gone";
  else void tracked(reportUnwritable(error));
}

async function reportUnwritable(error: Error): Promise<void> {
  const { systemCause } = await import("../../cluster/objects/error-text.ts");
  reportFailure(new UserError("cannotPrint", systemCause(error)));
}

function reportFailure({ text }: UserError): void {
  if (stdoutFailure !== null) return;
  stdoutFailure = "unwritable";
  say(`Error: ${text}`);
}

function onSignal(signal: NodeJS.Signals): void {
  // If there is another listener, such as that of a watch, that listener handles the signal.
  if (process.listenerCount(signal) > 1) return;
  process.off(signal, onSignal);
  endingSignal = signal;
  void whenWritten().then(() => endBy(signal));
}

function endBy(signal: NodeJS.Signals): void {
  // Removing the last listener restores the system's default, which Node and Bun change for SIGPIPE when they start.
  process.on(signal, ignore);
  process.removeAllListeners(signal);
  if (process.platform === "win32") process.exit(FAILED);
  process.kill(process.pid, signal);
}

/**
 * Whether stdout is known to be closed (`>&-`). Bun then opens /dev/null for reading and writing, with O_CLOEXEC, which
 * an inherited file never has.
 */
function isOutputClosed(): boolean {
  if (process.platform !== "linux" || process.versions["bun"] === undefined || process.stdout.isTTY) return false;
  try {
    if (readlinkSync("/proc/self/fd/1") !== "/dev/null") return false;
    const flags = Number.parseInt(/^flags:\s*(\d+)$/m.exec(readFileSync("/proc/self/fdinfo/1", "utf8"))?.[1] ?? "", 8);
    return (flags & O_CLOEXEC) !== 0 && (flags & constants.O_RDWR) !== 0;
  } catch {
    return false;
  }
}

/** On Linux, for amd64 and arm64. */
const O_CLOEXEC = 0o2000000;

export interface TerminalStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

interface Terminal {
  readonly isTerminal: boolean;
  readonly env: Environment;
}

/** See no-color.org, force-color.org and bixense.com/clicolors. */
export function isColorful(choice: string, { isTerminal, env }: Terminal): boolean {
  if (choice !== "auto") return choice === "always";
  if (env["NO_COLOR"]) return false;
  const forced = env["FORCE_COLOR"] || env["CLICOLOR_FORCE"];
  if (forced) return forced !== "0" && forced !== "false";
  return isTerminal && env["CLICOLOR"] !== "0" && env["TERM"] !== "dumb";
}

export function isUnicode({ env, platform }: { readonly env: Environment; readonly platform: string }): boolean {
  if (platform === "win32") return true;
  return /utf-?8/i.test(env["LC_ALL"] || env["LC_CTYPE"] || env["LANG"] || "");
}

export function forTerminal(text: string): string {
  return isUnicode(process) ? text : inAscii(text);
}
