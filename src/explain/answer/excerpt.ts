import { floorToSecond, formatBriefDuration } from "../../kubelet/go-duration.ts";

/** Shortens a text over `most` characters to its beginning and end, joined by "…"; cuts between words if possible. */
export function excerpt(text: string, most: number): string {
  if (text.length <= most) return text;
  const beginning = text.slice(0, most / 2).replace(/(?<=\s)\S*$|[\ud800-\udbff]$/, "");
  const end = text.slice(-most / 2).replace(/^\S*(?=\s)|^[\udc00-\udfff]/, "");
  return `${beginning}…${end}`.toWellFormed();
}

/** The maximum length of a quoted error, in characters: the errors of some container runtimes are pages long. */
const MOST_QUOTED = 200;

/** Returns an error message for use in a sentence: on one line, without a full stop, about 200 characters at most. */
export function quoted(message: string): string {
  return withoutStop(excerpt(onOneLine(message), MOST_QUOTED));
}

export function shortened(text: string): string {
  return excerpt(text, 60);
}

function onOneLine(message: string): string {
  return message.trim().replaceAll(/\s+/g, " ");
}

function withoutStop(message: string): string {
  return message.replace(/[.]$/, "");
}

export const KILLED_BECAUSE = {
  "liveness-probe": "its liveness probe failed",
  "startup-probe": "its startup probe failed",
  "spec-change": "its spec changed",
} as const;

/** The names of the signals that end containers in practice, by number (signal(7)). */
export const SIGNALS: Readonly<Record<number, string>> = {
  1: "SIGHUP",
  2: "SIGINT",
  3: "SIGQUIT",
  4: "SIGILL",
  6: "SIGABRT",
  7: "SIGBUS",
  8: "SIGFPE",
  9: "SIGKILL",
  11: "SIGSEGV",
  13: "SIGPIPE",
  15: "SIGTERM",
};

const UNITS = [
  { unit: "d", sizeMs: 86_400_000 },
  { unit: "h", sizeMs: 3_600_000 },
  { unit: "m", sizeMs: 60_000 },
];

/** Returns an age, rounded down, in the largest unit that gives at least 2: "1m30s", "11m", "3h", "5d". */
export function ageIn(ms: number): string {
  const found = UNITS.find((candidate) => ms >= 2 * candidate.sizeMs);
  if (found === undefined) return formatBriefDuration(Math.max(0, floorToSecond(ms)));
  return `${Math.floor(ms / found.sizeMs)}${found.unit}`;
}

/** Returns the last clause of a chain of errors, which is the cause, e.g. "network is unreachable". Skips URLs. */
export function lastClause(message: string): string {
  const clauses = withoutStop(onOneLine(message)).split(": ");
  return clauses.findLast((clause) => !/^https?:\/\//.test(clause) && clause !== "unknown") ?? message;
}

/** Returns the core of a container runtime's error, e.g. 'exec: "/x": no such file'; "" if there is no message. */
export function startErrorIn(message: string | null): string {
  const whole = withoutStop(onOneLine(message ?? "")).replace(/: unknown$/, "");
  const core = /(?:error during container init|unable to start container process): (?!error during)(.*)$/.exec(whole);
  return excerpt(core?.[1] ?? whole, MOST_QUOTED);
}
