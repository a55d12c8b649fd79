import { instantOf } from "../../cluster/objects/timestamp.ts";
import { UserError } from "../../errors.ts";
import { parseGoDuration } from "../../kubelet/go-duration.ts";
import { NEWEST_KNOWN_VERSION } from "../../kubelet/policy.ts";
import { parseKubeletVersion } from "../../kubelet/version.ts";

/** How the value of a flag is written. */
export interface ValueForm<T> {
  /** Null: the text is no such value. */
  readonly read: (text: string) => T | null;
  /** The values to pass instead, for the usage error. */
  readonly expected: string;
}

/** The value that a text means; a usage error if it means none. */
export function valueIn<T>(flag: string, text: string, { read, expected }: ValueForm<T>): T {
  const value = read(text);
  if (value === null) throw new UserError("badFlag", flag, text, expected);
  return value;
}

/** The versions of the kubelet that the model is for, by their minor number. */
export const MODELED_MINORS = { oldest: 19, newest: NEWEST_KNOWN_VERSION.minor } as const;

/** A version that the model is for, as a node reports it: with its v, perhaps without a patch number. */
export const KUBELET_VERSION: ValueForm<string> = {
  read: (text) => {
    const version = parseKubeletVersion(text);
    const { oldest, newest } = MODELED_MINORS;
    const isModeled = version?.major === 1 && version.minor >= oldest && version.minor <= newest;
    return isModeled ? `v${text.trim().replace(/^v/, "")}` : null;
  },
  expected: `one from v1.${MODELED_MINORS.oldest} to v1.${MODELED_MINORS.newest}, such as v1.37.1 or v1.31`,
};

/** The least duration for values that may not be zero. */
export const MORE_THAN_ZERO_MS = Number.MIN_VALUE;
/** The longest duration that a simulation takes. */
export const YEAR_MS = 365 * 24 * 3_600_000;

/** A Go duration within bounds, in milliseconds. */
export function durationFrom(leastMs: number, mostMs: number, expected: string): ValueForm<number> {
  return { read: (text) => durationIn(text.trim(), leastMs, mostMs), expected };
}

/** The Go duration that a text means, in milliseconds; null where it means none within the bounds. */
export function durationIn(text: string, leastMs: number, mostMs: number): number | null {
  const ms = parseGoDuration(text);
  return ms !== null && ms >= leastMs && ms <= mostMs ? ms : null;
}

/** `ValidateKubeletConfiguration`, pkg/kubelet/apis/config/validation/validation.go, v1.37.1: 1s to 300s. */
export const RESTART_PERIOD = durationFrom(1_000, 300_000, "a duration from 1s to 300s, such as 60s or 2m");

/** kubectl's form: a Go duration or whole seconds; 0 is no limit. */
export const REQUEST_TIMEOUT: ValueForm<number> = {
  read: (text) => (/^\d+$/.test(text) ? Number(text) * 1_000 : durationIn(text, 0, Number.POSITIVE_INFINITY)),
  expected: "a duration such as 5s, 1m or 30 (seconds); 0 is no limit",
};

/** The longest that `kubectl wait` waits (kubectl v0.37.1, pkg/cmd/wait/wait.go). */
const WEEK_MS = 7 * 24 * 60 * 60 * 1000;

/** How long to wait, as `kubectl wait` takes it: a Go duration, 0 to check once, a negative one for a week. */
export const WAIT_TIMEOUT: ValueForm<number> = {
  read: (text) => {
    const timeoutMs = parseGoDuration(text);
    return timeoutMs !== null && timeoutMs < 0 ? WEEK_MS : timeoutMs;
  },
  expected: "a duration such as 30s or 10m (0 checks once, -1s waits a week)",
};

/** How long something may take: a Go duration; 0 is no limit. */
export const TIME_LIMIT: ValueForm<number> = {
  read: (text) => {
    const limitMs = durationIn(text, 0, Number.POSITIVE_INFINITY);
    return limitMs === 0 ? Number.POSITIVE_INFINITY : limitMs;
  },
  expected: "a duration such as 90s or 10m; 0 is no limit",
};

/** The value of --at: which instant it means, by what time it is. */
export type At = (nowMs: number) => number;

const DAY_HOURS = 24;

/** An instant in RFC 3339, as kubectl prints it; a time of day in the reader's zone, the latest that has been; or "-5m". */
export const AT: ValueForm<At> = {
  read: (text) => {
    const instantMs = instantOf(text);
    if (instantMs !== null) return () => instantMs;
    const agoMs = text.startsWith("-") ? durationIn(text.slice(1), 0, Number.POSITIVE_INFINITY) : null;
    return agoMs === null ? timeOfDay(text) : (nowMs) => nowMs - agoMs;
  },
  expected: "13:43, -5m (ago), or a time with its zone: 2026-11-21T14:03:00Z",
};

function timeOfDay(text: string): At | null {
  const [, hours, minutes, seconds = "0"] = /^([01]?\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?$/.exec(text) ?? [];
  if (hours === undefined) return null;
  return (nowMs) => {
    const onDay = (daysAgo: number): number =>
      new Date(nowMs).setHours(Number(hours) - daysAgo * DAY_HOURS, Number(minutes), Number(seconds), 0);
    return onDay(0) <= nowMs ? onDay(0) : onDay(1);
  };
}

/** The longest log that a file can hold twice, once to be read and once as data. */
const MOST_BYTES = 2 ** 27;
const UNITS: Readonly<Record<string, number>> = { "": 1, Ki: 2 ** 10, Mi: 2 ** 20, k: 1e3, M: 1e6 };

/** A number of bytes, as Kubernetes writes quantities: 500000, 500Ki, 10Mi. */
export const BYTE_LIMIT: ValueForm<number> = {
  read: (text) => {
    const [, number, unit = ""] = /^(\d{1,9})(Ki|Mi|k|M)?$/.exec(text) ?? [];
    const bytes = Number(number) * (UNITS[unit] ?? Number.NaN);
    return bytes >= 1 && bytes <= MOST_BYTES ? bytes : null;
  },
  expected: "a size up to 128Mi, such as 500Ki or 10Mi",
};

/** A whole number from `least` to `most`. */
export function wholeFrom(least: number, most: number): ValueForm<number> {
  return { read: (text) => wholeIn(text, least, most), expected: `a whole number from ${least} to ${most}` };
}

/** A number of 32 bits, which random numbers begin from. */
export const SEED = wholeFrom(0, 2 ** 32 - 1);

/** A row of numbers wider than that no table holds. */
const MOST_COUNTS = 20;

/** Whole numbers with commas between, each from 1 to `most`; the same one twice counts once. */
export function countsTo(most: number): ValueForm<readonly number[]> {
  return {
    read: (text) => {
      const counts = [...new Set(eachIn(text, (part) => wholeIn(part, 1, most)))];
      return counts.length === 0 || counts.length > MOST_COUNTS ? null : counts;
    },
    expected: `up to ${MOST_COUNTS} whole numbers from 1 to ${most}, such as 10,100`,
  };
}

function wholeIn(text: string, least: number, most: number): number | null {
  const number = /^\d{1,15}$/.test(text.trim()) ? Number(text) : Number.NaN;
  return number >= least && number <= most ? number : null;
}

/** The values with commas between; null where one of them is none. */
export function eachIn<T>(text: string, read: (part: string) => T | null): T[] | null {
  const values = text.split(",").map((part) => read(part.trim()));
  const known = values.filter((value) => value !== null);
  return known.length === values.length ? known : null;
}
