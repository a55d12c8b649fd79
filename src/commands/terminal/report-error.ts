import { UserError } from "../../errors.ts";
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

/** Messages of JavaScript itself that speak of the code alone: others may quote what was read. */
const ABOUT_CODE: readonly RegExp[] = [
  /^Cannot (read|set) properties of (undefined|null) \((reading|setting) '[\w$]+'\)$/,
  /^[\w$.()]+ is not (a function|a constructor|iterable|defined)( \(cannot read property [\w.()]+\))?$/,
  // As Bun says it.
  /^(undefined|null) is not an object \(evaluating '[^"]*'\)$/,
  /^[\w$.]+ is not a function\. \(In '[^"]*', '[\w$.]+' is (undefined|null)\)$/,
  /^Maximum call stack size exceeded\.?$/,
  /^Invalid array length$/,
  /^Invalid time value$/,
];
const BEFORE_MESSAGE = /^\w*( \[\w+\])?(: )?$/;
const FRAME = /^ {4}at (.+ \()?[^()]+(:\d+:\d+|<anonymous>|index \d+)\)?$/;

/**
 * What is told of an error that nobody foresaw: its class, its code and where it is from. Not what it says, unless that is
 * known to be harmless, nor what it carries: a text that was read may be in both, and a secret in that.
 */
export function crashReport(error: unknown): string {
  if (!(error instanceof Error)) return `What was thrown is no error, but of type ${typeof error}.`;
  const { name, message, stack = "" } = error;
  const code = "code" in error && /^[A-Z][A-Z\d_]*$/.test(String(error.code)) ? ` [${error.code}]` : "";
  const says = ABOUT_CODE.some((known) => known.test(message)) ? message : "(its message may quote what was read)";
  return [`${/^\w+$/.test(name) ? name : "Error"}${code}: ${says}`, ...framesIn(stack, message)].join("\n");
}

/** What follows the message, which can look like this too; nothing where the stack does not begin with it. */
function framesIn(stack: string, message: string): string[] {
  const at = stack.indexOf(message);
  const after = at + message.length;
  const isWhole = at !== -1 && BEFORE_MESSAGE.test(stack.slice(0, at)) && /^(\n|$)/.test(stack.slice(after));
  const lines = isWhole ? stack.slice(after).split("\n") : [];
  return lines.filter((line) => FRAME.test(line));
}
