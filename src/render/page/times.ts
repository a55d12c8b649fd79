import { ownClock, ownDay, ownYear, ownZoneName } from "./own-zone.ts";

/** Instants in words for a reader at one moment and in one zone. All take milliseconds since 1970 UTC. */
export interface Times {
  /** "14:04:38 CET"; on another day than the reader's "Nov 20 23:59:01 CET". Cut to whole seconds. */
  instant(atMs: number): string;
  /** "14:04:38 and 14:05:08 CET" with the given word between; whole seconds, never narrower than the span. */
  span(fromMs: number, between: "and" | "to", toMs: number): string;
  /** "14:03:11 CET on Nov 21, 2026". */
  dated(atMs: number): string;
  /** A sentence that names instants as the JSON form does ("2026-11-21T13:04:38Z"), with them as above. */
  sentence(text: string): string;
}

const RFC3339 = /\b\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z/g;

/** Times for a reader whose now is `nowMs`; `timeZone` is an IANA name, the process's own if left out. */
export function timesAround(nowMs: number, timeZone?: string): Times {
  const [read, nameAt] = timeZone === undefined ? [ownParts, ownNamer()] : [partsReader(timeZone), zoneNamer(timeZone)];
  const now = read(nowMs);
  const local = ({ day, year, clock }: Parts, isDayNamed = false): string => {
    if (year !== now.year) return `${day} ${year} ${clock}`;
    return day === now.day && !isDayNamed ? clock : `${day} ${clock}`;
  };
  const instant = (atMs: number): string => `${local(read(atMs))} ${nameAt(atMs)}`;
  return {
    instant,
    span: (fromMs, between, toMs) => {
      const endMs = Math.ceil(toMs / 1000) * 1000;
      const [from, to] = [read(fromMs), read(endMs)];
      const isOneDay = from.day === to.day && from.year === to.year && nameAt(fromMs) === nameAt(endMs);
      // "Nov 1 12:00:01 UTC to 12:04:40 UTC" would read as five minutes of one day.
      const isDayNamed = from.day !== now.day || from.year !== now.year;
      if (!isOneDay) return `${instant(fromMs)} ${between} ${local(to, isDayNamed)} ${nameAt(endMs)}`;
      return `${local(from)} ${between} ${to.clock} ${nameAt(endMs)}`;
    },
    dated: (atMs) => `${read(atMs).clock} ${nameAt(atMs)} on ${read(atMs).day}, ${read(atMs).year}`,
    sentence: (text) =>
      text.replace(RFC3339, (time) => (Number.isNaN(Date.parse(time)) ? time : instant(Date.parse(time)))),
  };
}

interface Parts {
  readonly year: string;
  /** "Nov 21" */
  readonly day: string;
  /** "14:04:38" */
  readonly clock: string;
}

/** Intl, which takes long to load, only where Date has no name that can be used. */
function ownNamer(): (atMs: number) => string {
  let namer: ((atMs: number) => string) | null = null;
  return (atMs) => {
    const name = ownZoneName(atMs);
    if (name !== null) return name;
    namer ??= zoneNamer(undefined);
    return namer(atMs);
  };
}

function ownParts(atMs: number): Parts {
  return { year: ownYear(atMs), day: ownDay(atMs), clock: ownClock(atMs) };
}

function partsReader(timeZone: string): (atMs: number) => Parts {
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "short",
    day: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
  });
  return (atMs) => {
    const parts = Object.fromEntries(format.formatToParts(atMs).map(({ type, value }) => [type, value]));
    return {
      year: `${parts["year"]}`,
      day: `${parts["month"]} ${parts["day"]}`,
      clock: `${parts["hour"]}:${parts["minute"]}:${parts["second"]}`,
    };
  };
}

/** CLDR knows a zone's abbreviation only where it is in use: "CET" in en-GB, "EST" in en-US; elsewhere it is "GMT+1". */
const LOCALES = ["en-US", "en-GB", "en-AU", "en-IN", "en-ZA", "en-NZ", "en-CA"];

/** What a zone's clocks (undefined: those of the process) are called at an instant: "CET", or "GMT+8" without a name. */
export function zoneNamer(timeZone: string | undefined): (atMs: number) => string {
  const formats = new Map<string, Intl.DateTimeFormat>();
  const nameIn = (locale: string, atMs: number): string => {
    const format = formats.get(locale) ?? new Intl.DateTimeFormat(locale, { timeZone, timeZoneName: "short" });
    formats.set(locale, format);
    return format.formatToParts(atMs).find(({ type }) => type === "timeZoneName")?.value ?? "";
  };
  return (atMs) => {
    const locale = LOCALES.find((candidate) => !/\d/.test(nameIn(candidate, atMs)));
    return nameIn(locale ?? "en-US", atMs);
  };
}
