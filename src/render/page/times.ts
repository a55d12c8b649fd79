import { type Prose, spelledOut } from "../../explain/answer/prose.ts";
import { ceilToSecond, MINUTE_MS } from "../../kubelet/go-duration.ts";

export type Times = ReturnType<typeof timesAround>;

export function timesAround(nowMs: number, timeZone?: string) {
  const read = (atMs: number) => localTime(atMs, zoneOffsetMs(timeZone, atMs));
  const nameAt = (atMs: number): string => zoneName(zoneOffsetMs(timeZone, atMs));
  const now = read(nowMs);
  const local = ({ day, year, clock }: ReturnType<typeof localTime>, isDayNamed = false): string => {
    if (year !== now.year) return `${day} ${year} ${clock}`;
    return day === now.day && !isDayNamed ? clock : `${day} ${clock}`;
  };
  const instant = (atMs: number): string => `${local(read(atMs))} ${nameAt(atMs)}`;
  return {
    /** Returns e.g. "14:04:38 GMT+1"; on another day, e.g. "Nov 20 23:59:01 GMT+1". Rounds down to seconds. */
    instant,
    /** Returns e.g. "14:04:38-14:05:08 GMT+1", rounded outwards to seconds. */
    span: (fromMs: number, toMs: number): string => {
      const endMs = ceilToSecond(toMs);
      const [from, to] = [read(fromMs), read(endMs)];
      const isOneDay = from.day === to.day && from.year === to.year && nameAt(fromMs) === nameAt(endMs);
      // Without the end's day, "Nov 1 12:00:01 UTC to 12:04:40 UTC" would read as five minutes of one day.
      const isDayNamed = from.day !== now.day || from.year !== now.year;
      if (!isOneDay) return `${instant(fromMs)} to ${local(to, isDayNamed)} ${nameAt(endMs)}`;
      return from.clock === to.clock ? instant(fromMs) : `${local(from)}-${to.clock} ${nameAt(endMs)}`;
    },
    dated: (atMs: number): string => `${read(atMs).day}, ${read(atMs).year}, ${read(atMs).clock} ${nameAt(atMs)}`,
    text: (text: Prose): string => spelledOut(text, instant),
  };
}

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** Positive east of UTC. Without `timeZone`, avoids Intl, which is slow. */
export function zoneOffsetMs(timeZone: string | undefined, atMs: number): number {
  if (timeZone === "UTC") return 0;
  if (timeZone === undefined) return -new Date(atMs).getTimezoneOffset() * MINUTE_MS;
  const parts = new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: "longOffset" }).formatToParts(atMs);
  const name = parts.find((part) => part.type === "timeZoneName")?.value ?? "";
  const [, sign, hours = "0", minutes = "0"] = /([+-])(\d+):?(\d+)?/.exec(name) ?? [];
  const offsetMs = (Number(hours) * 60 + Number(minutes)) * MINUTE_MS;
  return sign === "-" ? -offsetMs : offsetMs;
}

export function zoneName(offsetMs: number): string {
  if (offsetMs === 0) return "UTC";
  const totalMinutes = Math.abs(offsetMs) / MINUTE_MS;
  const minutes = totalMinutes % 60;
  const rest = minutes === 0 ? "" : `:${`${minutes}`.padStart(2, "0")}`;
  return `GMT${offsetMs < 0 ? "-" : "+"}${Math.floor(totalMinutes / 60)}${rest}`;
}

export function localTime(atMs: number, offsetMs: number) {
  const local = new Date(atMs + offsetMs);
  const [date = "", clock = ""] = local.toISOString().split(/[T.]/);
  return { year: date.slice(0, -"-mm-dd".length), day: `${MONTHS[local.getUTCMonth()]} ${local.getUTCDate()}`, clock };
}
