export interface LogMessage {
  readonly text: string;
  readonly severity: LogSeverity | null;
}

type LogSeverity = "low" | "warning" | "error";

export function messageOf(line: string): LogMessage {
  const text = line.replaceAll(COLOURS, "").trimEnd();
  return jsonMessage(text) ?? logfmtMessage(text) ?? textMessage(text);
}

const COLOURS = /\p{Cc}\[[\d;]*m/gu;

const LEVELS: Readonly<Record<string, LogSeverity>> = {
  ...levels("low", "trace", "debug", "dbg", "dbug", "trce", "info", "inf", "information", "notice"),
  ...levels("warning", "warn", "warning", "wrn"),
  ...levels("error", "error", "err", "eror", "severe", "fatal", "ftl", "crit", "critical", "panic", "dpanic"),
  ...levels("error", "alert", "emerg", "emergency"),
};

function levels(severity: LogSeverity, ...words: readonly string[]): Record<string, LogSeverity> {
  return Object.fromEntries(words.map((word) => [word, severity]));
}

function severityIn(value: unknown): LogSeverity | null {
  // The levels of pino and bunyan: 30 is info, 40 warn, 50 error, 60 fatal.
  if (typeof value === "number") return value >= 50 ? "error" : value >= 40 ? "warning" : "low";
  return typeof value === "string" ? (LEVELS[value.toLowerCase()] ?? null) : null;
}

/** In lower case, in order of preference. "event" is structlog's; "@m", "@mt", "@x" and "@l" are Serilog's. */
const MESSAGE_FIELDS = ["msg", "message", "@m", "@mt", "event", "textpayload", "log"];
const ERROR_FIELDS = ["error", "err", "error.message", "exception", "exc", "@x", "cause"];
const LEVEL_FIELDS = ["level", "severity", "log.level", "@l", "loglevel", "levelname", "lvl"];

type Fields = ReadonlyMap<string, unknown>;

function jsonMessage(line: string): LogMessage | null {
  if (!line.trimStart().startsWith("{")) return null;
  try {
    const parsed: unknown = JSON.parse(line);
    return typeof parsed === "object" && parsed !== null ? messageIn(lowerCase(Object.entries(parsed))) : null;
  } catch {
    return null;
  }
}

const PAIR = /(?<=^|\s)([\w.@-]+)=("(?:[^"\\]|\\.)*"|\S*)/g;

function logfmtMessage(line: string): LogMessage | null {
  if (!/^[\w.@-]+=/.test(line)) return null;
  const pairs = [...line.matchAll(PAIR)].map(([, name = "", value = ""]) => [name, unquoted(value)] as const);
  return messageIn(lowerCase(pairs));
}

function unquoted(value: string): string {
  return value.startsWith('"') ? value.slice(1, -1).replaceAll(/\\(["\\])/g, "$1") : value;
}

function lowerCase(entries: readonly (readonly [string, unknown])[]): Fields {
  return new Map(entries.map(([name, value]) => [name.toLowerCase(), value]));
}

function messageIn(fields: Fields): LogMessage | null {
  const message = firstText(fields, MESSAGE_FIELDS);
  const error = firstText(fields, ERROR_FIELDS);
  if (message === null && error === null) return null;
  const isRepeated = message !== null && error !== null && message.includes(error);
  const parts = isRepeated ? [message] : [message, error].filter((part) => part !== null);
  const level = LEVEL_FIELDS.map((name) => fields.get(name)).find((value) => value !== undefined);
  return { text: parts.join(": "), severity: severityIn(level) };
}

function firstText(fields: Fields, names: readonly string[]): string | null {
  return names.map((name) => firstLineIn(fields.get(name))).find((text) => text !== null) ?? null;
}

function firstLineIn(value: unknown): string | null {
  const nested = typeof value === "object" && value !== null ? (value as { message?: unknown }).message : value;
  if (typeof nested !== "string") return null;
  const [first = ""] = nested.trim().split("\n");
  return first.trim() === "" ? null : first.trim();
}

const TIME = /^\s*\[?\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z| ?(?:[+-]\d\d:?\d\d|[A-Z]{3,4})\b)?\]?\s*/;
const KLOG = /^([IWEF])\d{4} \d\d:\d\d:\d\d(?:\.\d+)?(?:\s+\d+ [\w./-]+:\d+\])?\s+/;
const SPRING = /^([A-Z]+) +\d+ --- (?:\[[^\]]*\] ?)+\S+ +: /;
const RUBY_PLACE = /^\S+\.rb:\d+:in [`'][^']*': /;

/** Matches e.g. "ERROR ...", "[main] ERROR ...", "[error] ...", "<error>...", "ERROR:root:...". */
const LEVEL = new RegExp(`^(?:\\[[^\\]]*\\]\\s*)*?[[<(]?(${Object.keys(LEVELS).join("|")})([\\])>:|]|\\s|$)`, "i");

function textMessage(line: string): LogMessage {
  const [klogHeader, letter] = KLOG.exec(line) ?? [];
  if (klogHeader !== undefined) {
    const severity = letter === "I" ? "low" : letter === "W" ? "warning" : "error";
    return { text: line.slice(klogHeader.length), severity };
  }
  const timeless = line.replace(TIME, "");
  const [springHeader = "", level] = SPRING.exec(timeless) ?? [];
  const text = timeless.slice(springHeader.length).replace(RUBY_PLACE, "");
  return { text: text === "" ? line : text, severity: severityIn(level ?? levelOf(text)) };
}

/** Finds a level in "error: refused" and "ERROR refused", but not in the sentence "error while reading". */
function levelOf(text: string): string | undefined {
  const [, word = "", end = ""] = LEVEL.exec(text) ?? [];
  return end.trim() !== "" || word === word.toUpperCase() ? word : undefined;
}
