import { printable, UserError } from "../../errors.ts";
import { inAscii } from "../../render/page/paint.ts";

const listening = { toOutput: false, toErrors: false };

/**
 * Where results go. Whoever stops reading it has seen enough, which is no error; if it cannot be written (a full disk), that
 * is said, and the exit code is 1 whatever the command says.
 */
export function standardOutput(): NodeJS.WriteStream {
  if (!listening.toOutput) process.stdout.on("error", failed);
  listening.toOutput = true;
  return process.stdout;
}

/** Says something that is not the result. If it cannot be said, that cannot be said either. */
export function say(text: string): void {
  if (!listening.toErrors) process.stderr.on("error", () => {});
  listening.toErrors = true;
  // Names and messages of a cluster are in it.
  process.stderr.write(`${text.split("\n").map(printable).join("\n")}\n`);
}

let isToldOf = false;

async function failed(error: NodeJS.ErrnoException): Promise<void> {
  if (error.code === "EPIPE" || isToldOf) return;
  isToldOf = true;
  const { systemCause } = await import("../../cluster/objects/causes.ts");
  say(`Error: ${new UserError("cannotPrint", systemCause(error)).text}`);
  process.once("exit", () => {
    process.exitCode = 1;
  });
}

/** Ends a command before its time, with nothing left to say. */
export class ExitCode extends Error {
  override readonly name = "ExitCode";
  readonly code: number;

  constructor(code: number) {
    super(`exit code ${code}`);
    this.code = code;
  }
}

/** What of the surroundings bears on colours. */
export interface Surroundings {
  /** Whether it is a terminal that is written to. */
  readonly isTerminal: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * Whether to write in colours. What --color says holds; else NO_COLOR (no-color.org), then FORCE_COLOR (force-color.org) and
 * CLICOLOR_FORCE, then CLICOLOR=0 (bixense.com/clicolors), then whether there is a terminal that knows colours.
 */
export function isColorful(choice: string, { isTerminal, env }: Surroundings): boolean {
  if (choice !== "auto") return choice === "always";
  if (env["NO_COLOR"]) return false;
  const forced = env["FORCE_COLOR"] || env["CLICOLOR_FORCE"];
  if (forced) return forced !== "0" && forced !== "false";
  return isTerminal && env["CLICOLOR"] !== "0" && env["TERM"] !== "dumb";
}

/** What of the process says how its terminal shows characters. */
interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: string;
}

/** A terminal of Windows shows Unicode whatever its code page; elsewhere the locale says it, and without one it is ASCII. */
export function isUnicode({ env, platform }: Terminal): boolean {
  if (platform === "win32") return true;
  return /utf-?8/i.test(env["LC_ALL"] || env["LC_CTYPE"] || env["LANG"] || "");
}

/** A text for people, in characters that their terminal has. */
export function forTerminal(text: string): string {
  return isUnicode(process) ? text : inAscii(text);
}
