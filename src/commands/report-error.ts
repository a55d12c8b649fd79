import { Errors } from "@oclif/core";
import { UserError } from "../errors.ts";

/** Prints what went wrong, on stderr, and gives the exit code: 1 it failed, 2 wrong usage, or the one that was asked for. */
export function reportError(error: unknown): number {
  if (error instanceof Errors.ExitError) return error.oclif.exit ?? 0;
  if (error instanceof UserError) {
    say(`Error: ${error.text}`);
    return error.exitCode;
  }
  if (error instanceof Errors.CLIError) {
    say(`Error: ${error.message}`);
    return error.oclif.exit ?? 2;
  }
  say(error instanceof Error && error.stack !== undefined ? error.stack : String(error));
  say("This is a bug in kubectl-backoff. Please report it, with the lines above.");
  return 1;
}

function say(text: string): void {
  process.stderr.write(`${text}\n`);
}
