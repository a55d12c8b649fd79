import { quoted } from "./excerpt.ts";

/** A line of a log that says most about a crash. */
export interface TellingLine {
  readonly text: string;
  /** Whether the line says that something failed. If not, it is only the last one. */
  readonly isFailure: boolean;
}

/** What programs, runtimes and loggers write about the failure that ends them. */
const FATAL = /error|exception|panic|fatal|traceback|\b(emerg|crit|err|ftl|assertion)\b|^[EF]\d{4} \d\d:/i;
/** Words of other lines about failures. */
const FAILED =
  /fail|cannot|can't|could ?n[o']t|unable to|refused|denied|not found|no such|missing|invalid|timed out|timeout|killed|abort/i;

/** Lines of a stack trace, which name a place and not the failure. */
const FRAME =
  /^\s+at |^\s*File ".*", line \d+|^\s*\.\.\. \d+ more|^goroutine \d+ |^\s*\^+\s*$|^Node\.js v\d|^exit status \d+$/;

/** The time with which a logger begins a line. The page shows when a container ended. */
const TIME = /^\[?\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d:\d\d([.,]\d+)?(Z|[+-]\d\d:?\d\d)?\]?\s+(?=\S)/;

/** Returns the last line about a failure, else the last line; null if there is no line with words. */
export function tellingLine(lines: readonly string[]): TellingLine | null {
  const worded = lines.filter((line) => line.trim() !== "");
  const candidates = worded.filter((line) => !FRAME.test(line));
  const failure = candidates.findLast((line) => FATAL.test(line)) ?? candidates.findLast((line) => FAILED.test(line));
  const line = failure ?? candidates.at(-1) ?? worded.at(-1);
  return line === undefined ? null : { text: quoted(line.replace(TIME, "")), isFailure: failure !== undefined };
}
