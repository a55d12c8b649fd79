import { instantOf } from "../../cluster/objects/timestamp.ts";
import { orList, UserError } from "../../errors.ts";
import { RESTART_PERIOD_RANGE } from "../../kubelet/crash-loop-policy.ts";
import { DAY_MS, parseGoDuration } from "../../kubelet/go-duration.ts";
import { MODELED_MINORS, parseKubeletVersion } from "../../kubelet/versions.ts";

export interface ValueForm<T> {
  readonly read: (text: string) => T | null;
  readonly expected: string;
}

export function valueIn<T>(flag: string, text: string, { read, expected }: ValueForm<T>): T {
  const value = read(text);
  if (value === null) throw new UserError("badFlag", flag, text, expected);
  return value;
}

/** TRUE and FALSE mirror Go's `strconv.ParseBool`, which kubectl uses for boolean flags. */
const TRUE = ["1", "t", "T", "true", "TRUE", "True"];
const FALSE = ["0", "f", "F", "false", "FALSE", "False"];

export const BOOLEAN: ValueForm<boolean> = {
  read: (text) => (TRUE.includes(text) ? true : FALSE.includes(text) ? false : null),
  expected: "true or false",
};

export const LINES: ValueForm<number> = {
  read: (text) => (/^(-1|\d{1,9})$/.test(text) ? Number(text) : null),
  expected: "a number of lines such as 20, 0 for none, or -1 for all of them",
};

export function oneOfForm<T extends string>(choices: readonly T[]): ValueForm<T> {
  return { read: (text) => choices.find((choice) => choice === text) ?? null, expected: orList(choices) };
}

export const KUBELET_VERSION: ValueForm<string> = {
  read: (text) => {
    const version = parseKubeletVersion(text);
    const { oldest, newest } = MODELED_MINORS;
    const isModeled = version?.major === 1 && version.minor >= oldest && version.minor <= newest;
    return isModeled ? `v${text.trim().replace(/^v/, "")}` : null;
  },
  expected: `a version from v1.${MODELED_MINORS.oldest} to v1.${MODELED_MINORS.newest}, such as v1.37.1 or v1.31`,
};

export const MORE_THAN_ZERO_MS = Number.MIN_VALUE;

export function durationFrom(leastMs: number, mostMs: number, expected: string): ValueForm<number> {
  return { read: (text) => durationIn(text.trim(), mostMs, leastMs), expected };
}

export function durationIn(text: string, mostMs = Number.POSITIVE_INFINITY, leastMs = 0): number | null {
  const ms = parseGoDuration(text);
  return ms !== null && ms >= leastMs && ms <= mostMs ? ms : null;
}

const { leastMs, mostMs } = RESTART_PERIOD_RANGE;
export const RESTART_PERIOD_WORDS = `from ${leastMs / 1_000}s to ${mostMs / 1_000}s`;
export const RESTART_PERIOD = durationFrom(leastMs, mostMs, `a duration ${RESTART_PERIOD_WORDS}, such as 60s or 2m`);

/** As in kubectl, a number without a unit is in seconds. */
export const REQUEST_TIMEOUT: ValueForm<number> = {
  read: (text) => (/^\d+$/.test(text) ? Number(text) * 1_000 : durationIn(text)),
  expected: "a duration such as 5s, 1m or 30 (seconds); 0 is no limit",
};

const WEEK_MS = 7 * DAY_MS;

/** As in `kubectl wait` (kubectl v0.37.1, pkg/cmd/wait/wait.go), a negative duration means a week. */
export const WAIT_TIMEOUT: ValueForm<number> = {
  read: (text) => {
    const timeoutMs = parseGoDuration(text);
    return timeoutMs !== null && timeoutMs < 0 ? WEEK_MS : timeoutMs;
  },
  expected: "a duration such as 30s or 10m (0 checks once, -1s waits a week)",
};

export type At = (nowMs: number) => number;

/** "13:43" is a time in the local time zone: of today, or of yesterday if today's 13:43 is in the future. */
export const AT: ValueForm<At> = {
  read: (text) => {
    const instantMs = instantOf(text);
    if (instantMs !== null) return () => instantMs;
    const agoMs = text.startsWith("-") ? durationIn(text.slice(1)) : null;
    return agoMs === null ? timeOfDay(text) : (nowMs) => nowMs - agoMs;
  },
  expected: "13:43, -5m (ago), or a time with its zone: 2026-11-21T14:03:00Z",
};

function timeOfDay(text: string): At | null {
  const [, hours, minutes, seconds = "0"] = /^([01]?\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?$/.exec(text) ?? [];
  if (hours === undefined) return null;
  return (nowMs) => {
    const onDay = (daysAgo: number): number =>
      new Date(nowMs).setHours(Number(hours) - daysAgo * 24, Number(minutes), Number(seconds), 0);
    return onDay(0) <= nowMs ? onDay(0) : onDay(1);
  };
}

/** Assumed: users need no higher limit. A recording in HTML can contain the log twice: as text and as data. */
const MOST_LOG_BYTES = 2 ** 27;
const UNITS: Readonly<Record<string, number>> = { "": 1, Ki: 2 ** 10, Mi: 2 ** 20, k: 1e3, M: 1e6 };

export const BYTE_LIMIT: ValueForm<number> = {
  read: (text) => {
    const [, number, unit = ""] = /^(\d{1,9})(Ki|Mi|k|M)?$/.exec(text) ?? [];
    const bytes = Number(number) * (UNITS[unit] ?? Number.NaN);
    return bytes >= 1 && bytes <= MOST_LOG_BYTES ? bytes : null;
  },
  expected: "a size up to 128Mi, such as 500Ki or 10Mi",
};

export function wholeFrom(least: number, most: number): ValueForm<number> {
  return {
    read: (text) => {
      const number = /^\d{1,15}$/.test(text.trim()) ? Number(text) : Number.NaN;
      return number >= least && number <= most ? number : null;
    },
    expected: `a whole number from ${least} to ${most}`,
  };
}

export const SEED = wholeFrom(0, 2 ** 32 - 1);

/** Equal numbers and equal strings count once. */
export function listForm<T>(read: (part: string) => T | null, mostValues: number, expected: string): ValueForm<T[]> {
  return {
    read: (text) => {
      const values = new Set(text.split(",").map((part) => read(part.trim())));
      const known = [...values].filter((value) => value !== null);
      return known.length < values.size || known.length > mostValues ? null : known;
    },
    expected,
  };
}
