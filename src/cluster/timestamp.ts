const RFC_3339 = /^(\d{4}-\d\d-\d\d)[Tt](\d\d:\d\d:\d\d)(?:\.(\d+))?([Zz]|[+-]\d\d:\d\d)$/;

/** Kubernetes is from 2014: an instant before the year 2000 is a zero value that some layer made up, not a time. */
const EARLIEST_MS = Date.UTC(2000, 0, 1);

/**
 * The instant that an RFC 3339 timestamp names, in milliseconds since 1970, fractions beyond a millisecond cut off; `null`
 * for everything that is no such timestamp or is before the year 2000 (the runtime writes 1970-01-01 for "not known").
 */
export function instantOf(value: unknown): number | null {
  const match = typeof value === "string" ? RFC_3339.exec(value) : null;
  if (match === null) return null;
  const [, date = "", time = "", fraction = "", offset = ""] = match;
  if (!isCalendarDate(date)) return null;
  const millis = fraction.padEnd(3, "0").slice(0, 3);
  const instantMs = Date.parse(`${date}T${time}.${millis}${offset.toUpperCase()}`);
  return Number.isNaN(instantMs) || instantMs < EARLIEST_MS ? null : instantMs;
}

/** Date.parse takes February 30 for March 2. */
function isCalendarDate(date: string): boolean {
  const instantMs = Date.parse(`${date}T00:00:00Z`);
  return !Number.isNaN(instantMs) && new Date(instantMs).toISOString().startsWith(date);
}
