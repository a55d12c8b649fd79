/**
 * A text of about `most` characters: of a longer one its beginning and its end, which say what failed, and why. Cut between
 * words where there are any, and through no character.
 */
export function excerpt(text: string, most: number): string {
  if (text.length <= most) return text;
  const beginning = text.slice(0, most / 2).replace(/(?<=\s)\S*$|[\ud800-\udbff]$/, "");
  const end = text.slice(-most / 2).replace(/^\S*(?=\s)|^[\udc00-\udfff]/, "");
  return `${beginning}…${end}`.toWellFormed();
}

/** What a kubelet says of a failure, as part of a sentence: on one line, at most so long, without a full stop. */
export function quoted(message: string): string {
  return excerpt(message.trim().replaceAll(/\s+/g, " "), MOST_QUOTED).replace(/[.]$/, "");
}

/** Some runtimes' errors are pages long. */
const MOST_QUOTED = 200;

/** Why the kubelet kills a container, as a clause. */
export const KILLED_BECAUSE = {
  "liveness-probe": "its liveness probe failed",
  "startup-probe": "its startup probe failed",
  "spec-change": "its spec changed",
} as const;

/** Signals that end containers in practice (signal(7)); 128 + n is a shell's way to say "by signal n". */
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

/** An instant in a sentence, as the JSON form writes it; renderers put it into the reader's zone. */
export function instantIn(atMs: number): string {
  return new Date(atMs).toISOString().replace(/\.\d+Z$/, "Z");
}

const UNITS = [
  { unit: "d", ms: 86_400_000, from: 2 * 86_400_000 },
  { unit: "h", ms: 3_600_000, from: 2 * 3_600_000 },
  { unit: "m", ms: 60_000, from: 2 * 60_000 },
  { unit: "s", ms: 1_000, from: 0 },
] as const;

/** An age in one unit, cut: "90s", "11m", "3h", "5d". */
export function ageIn(ms: number): string {
  const { unit, ms: size } = UNITS.find(({ from }) => ms >= from) ?? UNITS[3];
  return `${Math.max(0, Math.floor(ms / size))}${unit}`;
}

/** A command or an answer inside a sentence. */
const MOST_SHORTENED = 60;

/** The text, cut to what has room inside a sentence. */
export function shortened(text: string): string {
  return excerpt(text, MOST_SHORTENED);
}

/** The last clause of a chain of errors, which names the cause: "network is unreachable". Addresses are no clauses. */
export function lastClause(message: string): string {
  const clauses = quotedWhole(message).split(": ");
  return clauses.findLast((clause) => !/^https?:\/\//.test(clause) && clause !== "unknown") ?? message;
}

/** ': exec: "/no/such": stat /no/such: no such file' of a runtime's error, whatever its wrapping; empty without a message. */
export function startErrorIn(message: string | null): string {
  const whole = quotedWhole(message ?? "").replace(/: unknown$/, "");
  const core = /(?:error during container init|unable to start container process): (?!error during)(.*)$/.exec(
    whole,
  )?.[1];
  const words = core ?? whole;
  return words === "" ? "" : `: ${excerpt(words, MOST_QUOTED)}`;
}

function quotedWhole(message: string): string {
  return message.trim().replaceAll(/\s+/g, " ").replace(/[.]$/, "");
}
