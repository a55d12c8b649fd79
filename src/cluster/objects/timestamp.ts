const RFC_3339 =
  /^(\d{4})-(\d\d)-(\d\d)[Tt]([01]\d|2[0-3]):([0-5]\d):([0-5]\d)(?:\.(\d+))?(?:[Zz]|([+-])([01]\d|2[0-3]):([0-5]\d))$/;

/** The earliest time that counts. Kubernetes is from 2014, so an earlier time is a placeholder for "not known". */
const EARLIEST_INSTANT_MS = Date.UTC(2000, 0, 1);

/** The latest time that counts, because Go's nanoseconds (`time.Time.UnixNano`, 64 bits) end here. */
const LATEST_INSTANT_MS = Date.UTC(2262, 3, 11, 23, 47, 16);

/**
 * Parses an RFC 3339 timestamp to milliseconds since 1970; cuts off fractions of a millisecond. Null for anything else,
 * and for times before the year 2000 (container runtimes write 1970-01-01 for "not known") or after April 11, 2262.
 */
export function instantOf(value: unknown): number | null {
  const match = typeof value === "string" ? RFC_3339.exec(value) : null;
  if (match === null) return null;
  const [, year = "", month = "", day = "", hour = "", minute = "", second = "", fraction = "", sign] = match;
  const millis = Number(fraction.padEnd(3, "0").slice(0, 3));
  const localMs = Date.UTC(+year, +month - 1, +day, +hour, +minute, +second, millis);
  // Date.UTC takes February 30 for March 2.
  if (new Date(localMs).getUTCMonth() !== +month - 1) return null;
  const aheadMs = sign === undefined ? 0 : (Number(match[9]) * 60 + Number(match[10])) * 60_000;
  const instantMs = sign === "-" ? localMs + aheadMs : localMs - aheadMs;
  return instantMs < EARLIEST_INSTANT_MS || instantMs > LATEST_INSTANT_MS ? null : instantMs;
}

/** Whether a value is the zero time of container runtimes or of Go: both mean "not known". */
export function isZeroTime(value: unknown): boolean {
  return value === "1970-01-01T00:00:00Z" || value === "0001-01-01T00:00:00Z";
}
