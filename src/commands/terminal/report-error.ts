import { UserError } from "../../errors.ts";
import { crashReport } from "./crash-report.ts";
import { ExitCode, say } from "./standard-output.ts";

const FAILED = 1;
const WRONG_USAGE = 2;

/**
 * Prints what went wrong, on stderr, and gives the exit code: 1 it failed, 2 wrong usage, or the one that was asked for.
 * `misspelled`: the command that was probably meant where a pod was taken to be named; null without such.
 */
export function reportError(error: unknown, misspelled: string | null = null): number {
  if (error instanceof ExitCode) return error.code;
  if (error instanceof UserError) {
    const [what] = error.text.split("\n", 1);
    const isMistaken = misspelled !== null && error.exitCode === FAILED;
    say(`Error: ${isMistaken ? `${what}\nDid you mean the command kubectl backoff ${misspelled}?` : error.text}`);
    return error.exitCode;
  }
  if (isOfOclif(error)) {
    say(`Error: ${error.message}`);
    return WRONG_USAGE;
  }
  say(crashReport(error));
  say("This is a bug in kubectl-backoff. Please report it, with the lines above.");
  return FAILED;
}

/** oclif's class `CLIError` would say the same, but loads its help and its terminal along. */
function isOfOclif(error: unknown): error is Error {
  return error instanceof Error && "oclif" in error;
}
