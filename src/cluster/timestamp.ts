const RFC_3339 =
  /^(\d{4}-\d\d-\d\d)[Tt]((?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d)(?:\.(\d+))?([Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/** Kubernetes is from 2014: an instant before the year 2000 is a zero value that some layer made up, not a time. */
const EARLIEST_MS = Date.UTC(2000, 0, 1);

/** Go counts nanoseconds in 64 bits, which end here (`time.Time.UnixNano`): no layer above can have computed with a later one. */
const LATEST_MS = Date.UTC(2262, 3, 11, 23, 47, 16);

/** How layers write "not known": the runtime's zero, and Go's. */
const ZEROS_MS: readonly number[] = [0, Date.parse("0001-01-01T00:00:00Z")];

/**
 * The instant that an RFC 3339 timestamp names, in milliseconds since 1970, fractions beyond a millisecond cut off; `null`
 * for everything that is no such timestamp, is before the year 2000 (the runtime writes 1970-01-01 for "not known") or after
 * April 11, 2262.
 */
export function instantOf(value: unknown): number | null {
  const instantMs = parsed(value);
  return instantMs === null || instantMs < EARLIEST_MS || instantMs > LATEST_MS ? null : instantMs;
}

/** Whether a value is an instant that can be used, or says as the layers below do that none is known. */
export function isInstantOrZero(value: unknown): boolean {
  const instantMs = parsed(value);
  return instantMs !== null && (ZEROS_MS.includes(instantMs) || instantOf(value) !== null);
}

function parsed(value: unknown): number | null {
  const match = typeof value === "string" ? RFC_3339.exec(value) : null;
  if (match === null) return null;
  const [, date = "", time = "", fraction = "", offset = ""] = match;
  if (!isCalendarDate(date)) return null;
  const millis = fraction.padEnd(3, "0").slice(0, 3);
  const instantMs = Date.parse(`${date}T${time}.${millis}${offset.toUpperCase()}`);
  return Number.isNaN(instantMs) ? null : instantMs;
}

/** Date.parse takes February 30 for March 2. */
function isCalendarDate(date: string): boolean {
  const instantMs = Date.parse(`${date}T00:00:00Z`);
  return !Number.isNaN(instantMs) && new Date(instantMs).toISOString().startsWith(date);
}
