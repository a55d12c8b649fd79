/** The text, if longer than `most` characters only its beginning and end, joined by "…"; cut between words if it has any. */
export function excerpt(text: string, most: number): string {
  if (text.length <= most) return text;
  const beginning = text.slice(0, most / 2).replace(/(?<=\s)\S*$|[\ud800-\udbff]$/, "");
  const end = text.slice(-most / 2).replace(/^\S*(?=\s)|^[\udc00-\udfff]/, "");
  return `${beginning}…${end}`.toWellFormed();
}

/** Some runtimes' errors are pages long. */
const MOST_QUOTED = 200;

/** An error message as part of a sentence: on one line, without a full stop, at most 200 characters. */
export function quoted(message: string): string {
  return withoutStop(excerpt(onOneLine(message), MOST_QUOTED));
}

/** A command or a probe's answer as part of a sentence: at most 60 characters. */
export function shortened(text: string): string {
  return excerpt(text, 60);
}

function onOneLine(message: string): string {
  return message.trim().replaceAll(/\s+/g, " ");
}

function withoutStop(message: string): string {
  return message.replace(/[.]$/, "");
}

/** Why the kubelet kills a container, as a clause. */
export const KILLED_BECAUSE = {
  "liveness-probe": "its liveness probe failed",
  "startup-probe": "its startup probe failed",
  "spec-change": "its spec changed",
} as const;

/** Signals that end containers in practice (signal(7)). */
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

/** An instant in a sentence, in UTC, e.g. "2026-11-22T13:43:00Z"; renderers convert it to the user's time zone. */
export function instantIn(atMs: number): string {
  return new Date(atMs).toISOString().replace(/\.\d+Z$/, "Z");
}

const UNITS = [
  { unit: "d", sizeMs: 86_400_000 },
  { unit: "h", sizeMs: 3_600_000 },
  { unit: "m", sizeMs: 60_000 },
];

/** An age in the largest unit of which it has two, rounded down: "90s", "11m", "3h", "5d". */
export function ageIn(ms: number): string {
  const { unit, sizeMs } = UNITS.find((candidate) => ms >= 2 * candidate.sizeMs) ?? { unit: "s", sizeMs: 1_000 };
  return `${Math.max(0, Math.floor(ms / sizeMs))}${unit}`;
}

/** The last clause of a chain of errors, which names the cause, e.g. "network is unreachable". URLs do not count as clauses. */
export function lastClause(message: string): string {
  const clauses = withoutStop(onOneLine(message)).split(": ");
  return clauses.findLast((clause) => !/^https?:\/\//.test(clause) && clause !== "unknown") ?? message;
}

/** The core of a container runtime's error, e.g. ': exec: "/no/such": stat /no/such: no such file'; empty without a message. */
export function startErrorIn(message: string | null): string {
  const whole = withoutStop(onOneLine(message ?? "")).replace(/: unknown$/, "");
  const core = /(?:error during container init|unable to start container process): (?!error during)(.*)$/.exec(whole);
  const words = core?.[1] ?? whole;
  return words === "" ? "" : `: ${excerpt(words, MOST_QUOTED)}`;
}
