import type { Cause } from "./container-explanation.ts";
import { quoted } from "./excerpt.ts";
import { type LogMessage, messageOf } from "./log-message.ts";

/** With these causes, the container's log or termination message may explain its exit. */
export const TELLING_CAUSES: readonly string[] = ["exited", "signal", "unknown"] satisfies Cause[];

const MOST_LINES = 200;

const MOST_CHARACTERS_JUDGED = 1_000;

interface TellingLine {
  readonly text: string;
  /** If false, no line seems to report a failure. */
  readonly isFailure: boolean;
}

/** Searches the last `MOST_LINES` lines. Null if they are blank. */
export function tellingLine(lines: readonly string[]): TellingLine | null {
  const worded = lines.slice(-MOST_LINES).filter((line) => line.trim() !== "");
  let best: { readonly text: string; readonly worth: number } | null = null;
  let isTraceback = false;
  for (const line of worded) {
    const message = messageOf(line);
    const worth = isTraceback && !isIndented(line) ? WORTH.namedError : worthOf(message);
    isTraceback = PYTHON_FRAME.test(line) || (isTraceback && isIndented(line));
    if (best === null || worth >= best.worth) best = { text: message.text, worth };
  }
  return best === null ? null : { text: quoted(best.text), isFailure: best.worth > WORTH.plain };
}

const WORTH = { frame: 0, detail: 1, plain: 2, indentedError: 3, doubt: 4, error: 5, namedError: 6 } as const;

function worthOf({ text: whole, severity }: LogMessage): number {
  const text = whole.slice(0, MOST_CHARACTERS_JUDGED);
  if (AFTERMATH.test(text) || FRAMES.some((frame) => frame.test(text))) return WORTH.frame;
  if (HEADER.test(text)) return WORTH.detail;
  if (severity === "low" || DENIES_ERRORS.test(text)) return WORTH.plain;
  if (NAMED_ERROR.test(text)) return severity === "warning" ? WORTH.doubt : WORTH.namedError;
  const isError = ERROR.test(text) || SYSTEM_ERROR.test(text);
  if (isIndented(text)) return isError ? WORTH.indentedError : WORTH.detail;
  if (severity === "warning") return WORTH.doubt;
  if (isError || severity === "error") return WORTH.error;
  return DOUBT.test(text) ? WORTH.doubt : WORTH.plain;
}

function isIndented(text: string): boolean {
  return /^\s/.test(text);
}

/** Matches e.g. "Error: connect ECONNREFUSED", "java.io.IOException: closed", "panic: boom". */
const NAMED_ERROR =
  /^(?:Exception in thread "[^"]*" |Uncaught |Unhandled exception[.:] )?(?:Caused by: |panic: |\s+what\(\): |[\w.$:]*(?:Error|Exception)(?: \[\w+\])?: .)/;

const ERROR =
  /\b(?:errors?|panic(?:ked)?|exception|fatal|fail|failed|failure|fault|emerg|crit(?:ical)?|caused by|unhandled|uncaught|abort(?:ed|ing)?|can(?:'|no)t|cannot|could(?: not|n't)|unable|refused|denied|not found|no such|timed out|out of memory|terminate called)\b|\w(?:Error|Exception)\b/i;

const SYSTEM_ERROR = /\bE(?:ACCES|ADDR|AI_|CONN|EXIST|HOST|ISDIR|MFILE|NET|NO|PERM|PIPE|TIMEDOUT)\w*/;

/** Lines with these words may report a failure, but may also be about a setting. */
const DOUBT = /\b(?:invalid|missing|not set|undefined|unknown|required|must|timeout|usage:)(?!\w)/i;

const DENIES_ERRORS = /\b(?:no|0|without) (?:errors?|failures?)\b|\b(?:errors?|failures?|failed)[=:] ?0\b/i;

const PYTHON_FRAME = /^\s+File "/;

/** Lines of stack traces and dumps. Assumed: another line names the error. */
const FRAMES: readonly RegExp[] = [
  // Java, JavaScript, .NET
  /^\s*at\s|^\s*\.\.\. \d+ more$|^Node\.js v\d|^\s*[\^~]+\s*$|^node:internal\/\S+:\d+$|^[\])}]+,?$/,
  // Python
  /^\s+File "|^Traceback \(/,
  // Go
  /^goroutine \d+ \[|^created by |^\[signal |^\s+\S+\.go:\d+|^[\w./*()-]+\(.*\)$|^r(?:[abcd]x|[sd]i|[bsi]p|\d+) +0x/,
  // Rust
  /^\s+\d+: |^note: run with|^stack backtrace:/,
  // Ruby and PHP
  /^\s*(?:from )?\S+\.(?:rb|php):\d+(?::in|\()|^#\d+ |^Stack trace:|^Tasks: TOP|^\(See full trace/,
];

/** Lines that npm, Yarn, make and others can print after the program that they run has failed. */
const AFTERMATH =
  /^(?:npm (?:ERR!|error|notice)|error Command failed|info Visit| ELIFECYCLE|exit status \d+$|make: \*\*\*)/;

/**
 * Matches a line that may announce the next one, e.g. "thread 'main' panicked at src/main.rs:3:5:", "fail: App[0]".
 */
const HEADER = /:$|^(?:fail|crit): \S+\[\d+\]$/;
