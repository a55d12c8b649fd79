import { UserError } from "../../errors.ts";
import { FAILED, WRONG_USAGE } from "./exit-codes.ts";
import { say } from "./standard-output.ts";

/** `misspelled`: the command that the user may have meant by a word that the program took for a pod's name. */
export function reportError(error: unknown, misspelled: string | null = null): number {
  if (error instanceof UserError) {
    const [what] = error.text.split("\n", 1);
    const isMistaken = misspelled !== null && (error.exitCode === FAILED || error.code === "namesInAllNamespaces");
    say(`Error: ${isMistaken ? `${what}\nDid you mean the command kubectl backoff ${misspelled}?` : error.text}`);
    return error.exitCode;
  }
  // An error of oclif's parser. Importing the class of the error would load more of oclif.
  if (error instanceof Error && "oclif" in error) {
    say(`Error: ${error.message}`);
    return WRONG_USAGE;
  }
  say(crashReport(error));
  say("This is a bug in kubectl-backoff. Please report it, with the lines above.");
  return FAILED;
}

/** Assumed: these messages of the JavaScript engine contain names of the code, but no data. */
const ABOUT_CODE: readonly RegExp[] = [
  /^Cannot (read|set) properties of (undefined|null) \((reading|setting) '[\w$]+'\)$/,
  /^[\w$.()]+ is not (a function|a constructor|iterable|defined)( \(cannot read property [\w.()]+\))?$/,
  // The next two are messages of Bun.
  /^(undefined|null) is not an object \(evaluating '[^"]*'\)$/,
  /^[\w$.]+ is not a function\. \(In '[^"]*', '[\w$.]+' is (undefined|null)\)$/,
  /^Maximum call stack size exceeded\.?$/,
  /^Invalid array length$/,
  /^Invalid time value$/,
];
const BEFORE_MESSAGE = /^\w*( \[\w+\])?(: )?$/;
const FRAME = /^ {4}at (.+ \()?[^()]+(:\d+:\d+|<anonymous>|index \d+)\)?$/;

/** Leaves out messages that do not match `ABOUT_CODE`, and most properties of the error: they can contain secrets. */
export function crashReport(error: unknown): string {
  if (!(error instanceof Error)) return `What was thrown is no error, but of type ${typeof error}.`;
  const { name, message, stack = "" } = error;
  const code = "code" in error && /^[A-Z][A-Z\d_]*$/.test(String(error.code)) ? ` [${error.code}]` : "";
  const says = ABOUT_CODE.some((known) => known.test(message)) ? message : "(its message may quote what was read)";
  return [`${/^\w+$/.test(name) ? name : "Error"}${code}: ${says}`, ...framesIn(stack, message)].join("\n");
}

/**
 * Returns no frames if it is unclear where the message ends, because a message can contain lines that look like frames.
 */
function framesIn(stack: string, message: string): string[] {
  const at = stack.indexOf(message);
  const after = at + message.length;
  const isWhole = at !== -1 && BEFORE_MESSAGE.test(stack.slice(0, at)) && /^(\n|$)/.test(stack.slice(after));
  const lines = isWhole ? stack.slice(after).split("\n") : [];
  return lines.filter((line) => FRAME.test(line));
}
