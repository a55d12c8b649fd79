const MINUTE_MS = 60_000;
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** How far the clocks of an IANA zone are ahead of UTC at an instant; undefined: those of the process. Intl is slow to load. */
export function zoneOffsetMs(timeZone: string | undefined, atMs: number): number {
  if (timeZone === "UTC") return 0;
  if (timeZone === undefined) return -new Date(atMs).getTimezoneOffset() * MINUTE_MS;
  const parts = new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: "longOffset" }).formatToParts(atMs);
  const name = parts.find((part) => part.type === "timeZoneName")?.value ?? "";
  const [, sign, hours = "0", minutes = "0"] = /([+-])(\d+):?(\d+)?/.exec(name) ?? [];
  const offsetMs = (Number(hours) * 60 + Number(minutes)) * MINUTE_MS;
  return sign === "-" ? -offsetMs : offsetMs;
}

/** "UTC", "GMT+1", "GMT-9:30" */
export function zoneName(offsetMs: number): string {
  if (offsetMs === 0) return "UTC";
  const totalMinutes = Math.abs(offsetMs) / MINUTE_MS;
  const minutes = totalMinutes % 60;
  const rest = minutes === 0 ? "" : `:${`${minutes}`.padStart(2, "0")}`;
  return `GMT${offsetMs < 0 ? "-" : "+"}${Math.floor(totalMinutes / 60)}${rest}`;
}

/** The day and the time that a clock shows. */
export interface LocalTime {
  /** "2026" */
  readonly year: string;
  /** "Nov 21" */
  readonly day: string;
  /** "14:04:38" */
  readonly clock: string;
}

/** The local time of an instant in a zone that is so far ahead of UTC. */
export function localTime(atMs: number, offsetMs: number): LocalTime {
  const local = new Date(atMs + offsetMs);
  const [date = "", clock = ""] = local.toISOString().split(/[T.]/);
  return { year: date.slice(0, -"-mm-dd".length), day: `${MONTHS[local.getUTCMonth()]} ${local.getUTCDate()}`, clock };
}
