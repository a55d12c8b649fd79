const RFC_3339 =
  /^(\d{4})-(\d\d)-(\d\d)[Tt]([01]\d|2[0-3]):([0-5]\d):([0-5]\d)(?:\.(\d+))?(?:[Zz]|([+-])([01]\d|2[0-3]):([0-5]\d))$/;

/** Kubernetes is from 2014: an instant before the year 2000 is a zero value that some layer made up, not a time. */
const EARLIEST_MS = Date.UTC(2000, 0, 1);

/** Go counts nanoseconds in 64 bits, which end here (`time.Time.UnixNano`): no layer above can have computed with a later one. */
const LATEST_MS = Date.UTC(2262, 3, 11, 23, 47, 16);

/** How layers write "not known": the runtime's zero, and Go's. */
const ZEROS: readonly unknown[] = ["1970-01-01T00:00:00Z", "0001-01-01T00:00:00Z"];

const MINUTE_MS = 60_000;

/**
 * The instant that an RFC 3339 timestamp names, in milliseconds since 1970, fractions beyond a millisecond cut off; `null`
 * for everything that is no such timestamp, is before the year 2000 (the runtime writes 1970-01-01 for "not known") or after
 * April 11, 2262.
 */
export function instantOf(value: unknown): number | null {
  const match = typeof value === "string" ? RFC_3339.exec(value) : null;
  if (match === null) return null;
  const [, year, month, day, hour, minute, second, fraction = "", sign, offsetHours, offsetMinutes] = match;
  if (!isInMonth(Number(day), Number(month), Number(year))) return null;
  const millis = Number(fraction.padEnd(3, "0").slice(0, 3));
  const localMs = Date.UTC(
    Number(year),
    Number(month) - 1,
    Number(day),
    Number(hour),
    Number(minute),
    Number(second),
    millis,
  );
  const aheadMs = sign === undefined ? 0 : (Number(offsetHours) * 60 + Number(offsetMinutes)) * MINUTE_MS;
  const instantMs = sign === "-" ? localMs + aheadMs : localMs - aheadMs;
  return instantMs < EARLIEST_MS || instantMs > LATEST_MS ? null : instantMs;
}

/** Whether a value is an instant that can be used, or says as the layers below do that none is known. */
export function isInstantOrZero(value: unknown): boolean {
  return instantOf(value) !== null || ZEROS.includes(value);
}

/** Date.UTC takes February 30 for March 2. */
function isInMonth(day: number, month: number, year: number): boolean {
  if (day < 1 || month < 1 || month > 12) return false;
  return day <= 28 || day <= new Date(Date.UTC(year, month, 0)).getUTCDate();
}
