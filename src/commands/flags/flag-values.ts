import { instantOf } from "../../cluster/objects/timestamp.ts";
import { UserError } from "../../errors.ts";
import { parseGoDuration } from "../../kubelet/go-duration.ts";
import { NEWEST_KNOWN_VERSION } from "../../kubelet/policy.ts";
import { parseKubeletVersion } from "../../kubelet/version.ts";

/** The versions of the kubelet that the model is for, by their minor number. */
export const MODELED_MINORS = { oldest: 19, newest: NEWEST_KNOWN_VERSION.minor } as const;

/** `ValidateKubeletConfiguration`, pkg/kubelet/apis/config/validation/validation.go, v1.37.1: 1s to 300s. */
const RESTART_PERIOD_MS = { least: 1_000, most: 300_000 } as const;

/** kubectl's form: a Go duration or whole seconds; 0 is no limit. */
export function parseRequestTimeout(text: string): number {
  const timeoutMs = /^\d+$/.test(text) ? Number(text) * 1000 : parseGoDuration(text);
  if (timeoutMs !== null && timeoutMs >= 0) return timeoutMs;
  throw new UserError("badFlag", "request-timeout", text, "a duration such as 5s, 1m or 30 (seconds); 0 is no limit");
}

/** A Go duration that a kubelet would take for its `crashLoopBackOff.maxContainerRestartPeriod`. */
export function parseRestartPeriod(text: string, flag = "max-restart-period"): number {
  const periodMs = parseGoDuration(text);
  const { least, most } = RESTART_PERIOD_MS;
  if (periodMs !== null && periodMs >= least && periodMs <= most) return periodMs;
  throw new UserError("badFlag", flag, text, "a duration from 1s to 300s, such as 60s or 2m");
}

/** The value of --at: which instant it means, by what time it is. */
export type At = (nowMs: number) => number;

const DAY_HOURS = 24;

/** An instant in RFC 3339, as kubectl prints it; a time of day in the reader's zone, the latest that has been; or "-5m". */
export function parseAt(text: string): At {
  const instantMs = instantOf(text);
  if (instantMs !== null) return () => instantMs;
  const agoMs = text.startsWith("-") ? parseGoDuration(text.slice(1)) : null;
  if (agoMs !== null && agoMs >= 0) return (nowMs) => nowMs - agoMs;
  const [, hours, minutes, seconds = "0"] = /^([01]?\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?$/.exec(text) ?? [];
  if (hours === undefined) {
    throw new UserError("badFlag", "at", text, "13:43, -5m (ago), or a time with its zone: 2026-11-21T14:03:00Z");
  }
  return (nowMs) => {
    const onDay = (daysAgo: number): number =>
      new Date(nowMs).setHours(Number(hours) - daysAgo * DAY_HOURS, Number(minutes), Number(seconds), 0);
    return onDay(0) <= nowMs ? onDay(0) : onDay(1);
  };
}

/** A version that the model is for, as a node reports it: with its v, perhaps without a patch number. */
export function parseVersion(text: string, flag = "kubelet-version"): string {
  const version = parseKubeletVersion(text);
  const { oldest, newest } = MODELED_MINORS;
  if (version?.major === 1 && version.minor >= oldest && version.minor <= newest)
    return `v${text.trim().replace(/^v/, "")}`;
  throw new UserError("badFlag", flag, text, `one from v1.${oldest} to v1.${newest}, such as v1.37.1 or v1.31`);
}

/** The longest that `kubectl wait` waits, for those who set no limit (kubectl v0.37.1, pkg/cmd/wait/wait.go). */
const WEEK_MS = 7 * 24 * 60 * 60 * 1000;

/** How long to wait, as `kubectl wait` takes it: a Go duration, 0 to check once, a negative one for a week. */
export function parseWaitTimeout(text: string): number {
  const timeoutMs = parseGoDuration(text);
  const expected = "a duration such as 30s or 10m (0 checks once, -1s waits a week)";
  if (timeoutMs === null) throw new UserError("badFlag", "timeout", text, expected);
  return timeoutMs < 0 ? WEEK_MS : timeoutMs;
}

/** How long something may take: a Go duration; 0 is no limit. */
export function parseTimeLimit(text: string): number {
  const limitMs = parseGoDuration(text);
  if (limitMs !== null && limitMs >= 0) return limitMs === 0 ? Number.POSITIVE_INFINITY : limitMs;
  throw new UserError("badFlag", "timeout", text, "a duration such as 90s or 10m; 0 is no limit");
}

/** The longest that a file can hold twice, once to be read and once as data. */
const MOST_BYTES = 2 ** 27;
const UNITS: Readonly<Record<string, number>> = { "": 1, Ki: 2 ** 10, Mi: 2 ** 20, k: 1e3, M: 1e6 };

/** A number of bytes, as Kubernetes writes quantities: 500000, 500Ki, 10Mi. */
export function parseByteLimit(text: string): number {
  const [, number, unit = ""] = /^(\d{1,9})(Ki|Mi|k|M)?$/.exec(text) ?? [];
  const bytes = Number(number) * (UNITS[unit] ?? Number.NaN);
  if (bytes >= 1 && bytes <= MOST_BYTES) return bytes;
  throw new UserError("badFlag", "limit-bytes", text, "a size up to 128Mi, such as 500Ki or 10Mi");
}

/** A row of numbers wider than that no table holds. */
const MOST_COUNTS = 20;

/** Seeds are numbers of 32 bits. */
const LARGEST_SEED = 2 ** 32 - 1;

/** Whole numbers with commas between, each from 1 to `most`; the same one twice counts once. */
export function parseCounts(flag: string, text: string, most: number): number[] {
  const counts = text.split(",").map((part) => wholeNumber(part, 1, most));
  const distinct = [...new Set(counts)].filter((count) => count !== undefined);
  if (!counts.includes(undefined) && distinct.length <= MOST_COUNTS) return distinct;
  throw new UserError("badFlag", flag, text, `up to ${MOST_COUNTS} whole numbers from 1 to ${most}, such as 10,100`);
}

/** A whole number from `least` to `most`. */
export function parseCount(flag: string, text: string, least: number, most: number): number {
  const number = wholeNumber(text, least, most);
  if (number !== undefined) return number;
  throw new UserError("badFlag", flag, text, `a whole number from ${least} to ${most}`);
}

/** What random numbers begin from. */
export function parseSeed(text: string): number {
  return parseCount("seed", text, 0, LARGEST_SEED);
}

function wholeNumber(text: string, least: number, most: number): number | undefined {
  const number = /^\d{1,15}$/.test(text.trim()) ? Number(text) : Number.NaN;
  return number >= least && number <= most ? number : undefined;
}
