import { CLIError } from "@oclif/core/errors";
import { UserError } from "../errors.ts";
import { ExitCode } from "./exit-code.ts";

const WRONG_USAGE = 2;

/** Prints what went wrong, on stderr, and gives the exit code: 1 it failed, 2 wrong usage, or the one that was asked for. */
export function reportError(error: unknown): number {
  if (error instanceof ExitCode) return error.code;
  if (error instanceof UserError) {
    say(`Error: ${error.text}`);
    return error.exitCode;
  }
  if (error instanceof CLIError) {
    say(`Error: ${error.message}`);
    return WRONG_USAGE;
  }
  say(error instanceof Error && error.stack !== undefined ? error.stack : String(error));
  say("This is a bug in kubectl-backoff. Please report it, with the lines above.");
  return 1;
}

function say(text: string): void {
  process.stderr.write(`${text}\n`);
}
