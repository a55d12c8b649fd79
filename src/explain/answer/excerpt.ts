import { floorToSecond, formatBriefDuration, HOUR_MS } from "../../kubelet/go-duration.ts";

/** Leaves out the middle of a long text, between words if possible. */
export function excerpt(text: string, most: number): string {
  if (text.length <= most) return text;
  const beginning = text.slice(0, most / 2).replace(/(?<=\s)\S*$|[\ud800-\udbff]$/, "");
  const end = text.slice(-most / 2).replace(/^\S*(?=\s)|^[\udc00-\udfff]/, "");
  return `${beginning}…${end}`.toWellFormed();
}

const MOST_QUOTED_CHARACTERS = 200;

export function quoted(message: string): string {
  return withoutStop(excerpt(onOneLine(message), MOST_QUOTED_CHARACTERS));
}

export function shortened(text: string): string {
  return excerpt(text, 60);
}

function onOneLine(message: string): string {
  return message.trim().replaceAll(/\s+/g, " ");
}

function withoutStop(message: string): string {
  return message.replace(/\.$/, "");
}

export const KILLED_BECAUSE = {
  "liveness-probe": "its liveness probe failed",
  "startup-probe": "its startup probe failed",
  "spec-change": "its spec changed",
} as const;

/** By the numbers of the signals on x86 and Arm (signal(7)). */
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
  { unit: "h", sizeMs: HOUR_MS },
  { unit: "m", sizeMs: 60_000 },
];

/** Returns e.g. "5d", "3h" or "11m"; below 2m e.g. "1m30s". */
export function ageIn(ms: number): string {
  const found = UNITS.find((candidate) => ms >= 2 * candidate.sizeMs);
  if (found === undefined) return formatBriefDuration(Math.max(0, floorToSecond(ms)));
  return `${Math.floor(ms / found.sizeMs)}${found.unit}`;
}

/** Returns the last part of a chain of errors, e.g. "i/o timeout" of "dial tcp: i/o timeout: unknown". */
export function lastClause(message: string): string {
  const clauses = withoutStop(onOneLine(message)).split(": ");
  return clauses.findLast((clause) => !/^https?:\/\//.test(clause) && clause !== "unknown") ?? message;
}

/** Returns e.g. CAUSE of the error "... unable to start container process: CAUSE: unknown". */
export function startErrorIn(message: string | null): string {
  const whole = withoutStop(onOneLine(message ?? "")).replace(/: unknown$/, "");
  const core = /(?:error during container init|unable to start container process): (?!error during)(.*)$/.exec(whole);
  return excerpt(core?.[1] ?? whole, MOST_QUOTED_CHARACTERS);
}
