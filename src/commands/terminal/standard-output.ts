import type { Environment } from "../../cluster/connection/kubeconfig-files.ts";
import { printable, UserError } from "../../errors.ts";
import { inAscii } from "../../render/page/paint.ts";

/**
 * Returns stdout with its errors handled. If the reader stops reading (EPIPE), the program ignores that. If writing
 * fails, e.g. on a full disk, the program prints an error, and the exit code is 1.
 */
export function standardOutput(): NodeJS.WriteStream {
  if (!process.stdout.listeners("error").includes(reportFailure)) process.stdout.on("error", reportFailure);
  return process.stdout;
}

/** Prints on stderr, which is for everything but results. Errors of stderr itself are ignored. */
export function say(text: string): void {
  if (!process.stderr.listeners("error").includes(ignore)) process.stderr.on("error", ignore);
  // Names and messages of a cluster can be part of the text.
  process.stderr.write(`${text.split("\n").map(printable).join("\n")}\n`);
}

function ignore(): void {}

let isReported = false;

async function reportFailure(error: NodeJS.ErrnoException): Promise<void> {
  if (error.code === "EPIPE" || isReported) return;
  isReported = true;
  const { systemCause } = await import("../../cluster/objects/causes.ts");
  say(`Error: ${new UserError("cannotPrint", systemCause(error)).text}`);
  process.once("exit", () => {
    process.exitCode = 1;
  });
}

interface Terminal {
  readonly isTerminal: boolean;
  readonly env: Environment;
}

/**
 * Whether to write in colours. The first of these that is set decides: --color, NO_COLOR (no-color.org), FORCE_COLOR
 * (force-color.org) and CLICOLOR_FORCE, CLICOLOR=0 (bixense.com/clicolors). If none is set, a terminal gets colours.
 */
export function isColorful(choice: string, { isTerminal, env }: Terminal): boolean {
  if (choice !== "auto") return choice === "always";
  if (env["NO_COLOR"]) return false;
  const forced = env["FORCE_COLOR"] || env["CLICOLOR_FORCE"];
  if (forced) return forced !== "0" && forced !== "false";
  return isTerminal && env["CLICOLOR"] !== "0" && env["TERM"] !== "dumb";
}

/** Whether the terminal shows Unicode: on Windows always, elsewhere as the locale says; no locale means ASCII. */
export function isUnicode({ env, platform }: { readonly env: Environment; readonly platform: string }): boolean {
  if (platform === "win32") return true;
  return /utf-?8/i.test(env["LC_ALL"] || env["LC_CTYPE"] || env["LANG"] || "");
}

export function forTerminal(text: string): string {
  return isUnicode(process) ? text : inAscii(text);
}
