const RFC_3339 =
  /^(\d{4})-(\d\d)-(\d\d)[Tt]([01]\d|2[0-3]):([0-5]\d):([0-5]\d)(?:\.(\d+))?(?:[Zz]|([+-])([01]\d|2[0-3]):([0-5]\d))$/;

/** Assumed: an earlier time stands for an unknown time, e.g. 1970-01-01, or Go's zero time 0001-01-01. */
const EARLIEST_INSTANT_MS = Date.UTC(2000, 0, 1);

/** Go's nanoseconds since 1970 (`time.Time.UnixNano`, 64 bits) overflow in this second. */
const LATEST_INSTANT_MS = Date.UTC(2262, 3, 11, 23, 47, 16);

/** Returns milliseconds since 1970. */
export function instantOf(value: unknown): number | null {
  const match = typeof value === "string" ? RFC_3339.exec(value) : null;
  if (match === null) return null;
  const [, year = "", month = "", day = "", hour = "", minute = "", second = "", fraction = "", sign] = match;
  const millis = Number(fraction.padEnd(3, "0").slice(0, 3));
  const localMs = Date.UTC(+year, +month - 1, +day, +hour, +minute, +second, millis);
  // Date.UTC reads February 30 as March 1 or 2.
  if (new Date(localMs).getUTCMonth() !== +month - 1) return null;
  const aheadMs = sign === undefined ? 0 : (Number(match[9]) * 60 + Number(match[10])) * 60_000;
  const instantMs = sign === "-" ? localMs + aheadMs : localMs - aheadMs;
  return instantMs < EARLIEST_INSTANT_MS || instantMs > LATEST_INSTANT_MS ? null : instantMs;
}

export function isZeroTime(value: unknown): boolean {
  return value === "1970-01-01T00:00:00Z" || value === "0001-01-01T00:00:00Z";
}
