import { afterEach, describe, expect, it } from "vitest";
import { isUtc, timeZoneFor } from "../../src/commands/terminal/time-zone.ts";
import { timesAround, zoneName, zoneOffsetMs } from "../../src/render/page/times.ts";
import { repositoryFile, runFile } from "../support/command.ts";
import { rowsOf } from "../support/text-table.ts";

const ownZone = process.env["TZ"];

afterEach(() => {
  process.env["TZ"] = ownZone;
});

function timesIn(zone: string, nowMs: number) {
  process.env["TZ"] = zone;
  return timesAround(nowMs);
}

describe("times around a change of the clocks", () => {
  const ROWS = rowsOf<"zone" | "day" | "before" | "after" | "span">(`
    zone                 day         before    after     span
    Europe/Berlin        2026-10-25  00:30:00  01:30:00  02:30:00 GMT+2 to 02:30:00 GMT+1
    Europe/Berlin        2026-03-29  00:59:59  01:00:00  01:59:59 GMT+1 to 03:00:00 GMT+2
    Australia/Lord_Howe  2026-04-04  14:45:00  15:15:00  01:45:00 GMT+11 to 01:45:00 GMT+10:30
    America/New_York     2026-11-01  05:30:00  06:30:00  01:30:00 GMT-4 to 01:30:00 GMT-5
    Asia/Kathmandu       2026-10-25  00:30:00  01:30:00  06:15:00-07:15:00 GMT+5:45
  `);
  it.each(ROWS)("tell two equal times of day apart in $zone: $span", ({ zone, day, before, after, span }) => {
    const [beforeMs, afterMs] = [Date.parse(`${day}T${before}Z`), Date.parse(`${day}T${after}Z`)];
    const times = timesIn(zone, afterMs);
    expect(times.span(beforeMs, afterMs)).toBe(span);
    const [first = "", second = ""] = span.split(/ to |-(?=\d\d:)/);
    expect(times.instant(beforeMs)).toContain(first);
    expect(times.instant(afterMs)).toBe(second);
  });
});

describe("TZ", () => {
  it.each([
    { written: undefined, zone: undefined, why: "the machine's own zone" },
    { written: "Asia/Kolkata", zone: "Asia/Kolkata", why: "the name of a zone" },
    { written: ":Asia/Kolkata", zone: ":Asia/Kolkata", why: "Node understands this form" },
    { written: "", zone: "", why: "UTC" },
    { written: ":/etc/localtime", zone: undefined, why: "the machine's own zone, from its file" },
    { written: "/etc/localtime", zone: undefined, why: "the machine's own zone, without a colon" },
    { written: ":/usr/share/zoneinfo/Asia/Kolkata", zone: "Asia/Kolkata", why: "the file of a zone" },
    { written: "/link", zone: "Europe/Berlin", why: "a link to the file of a zone" },
    { written: "/none", zone: "/none", why: "a file that does not exist" },
    { written: "/other", zone: "/other", why: "a file outside of the time zones" },
  ])("of $written sets the zone $zone: $why", ({ written, zone }) => {
    const resolve = (path: string): string => {
      if (path === "/none") throw new Error("ENOENT");
      return path === "/link" ? "/usr/share/zoneinfo/posix/Europe/Berlin" : path;
    };
    expect(timeZoneFor(written, resolve as typeof import("node:fs").realpathSync)).toBe(zone);
  });

  it.each([
    { written: "UTC", link: "/none", utc: true },
    { written: "Etc/UTC", link: "/none", utc: true },
    { written: "", link: "/none", utc: true },
    { written: undefined, link: "/usr/share/zoneinfo/Etc/UTC", utc: true },
    { written: undefined, link: "/usr/share/zoneinfo/Europe/Berlin", utc: false },
    { written: undefined, link: "/etc/localtime", utc: false },
    { written: "Europe/London", link: "/usr/share/zoneinfo/UTC", utc: false },
    { written: "UTC+3", link: "/usr/share/zoneinfo/UTC", utc: false },
  ])("of $written, with a link to $link, counts as UTC: $utc", ({ written, link, utc }) => {
    expect(isUtc(written, (() => link) as unknown as typeof import("node:fs").realpathSync)).toBe(utc);
  });

  it.each([
    { TZ: "", says: "UTC" },
    { TZ: "Nonsense", says: "UTC" },
    { TZ: "UTC+3", says: "GMT-3" },
    { TZ: "<+0530>-5:30", says: "UTC" },
  ])("of $TZ prints $says", ({ TZ, says }) => {
    process.env["TZ"] = TZ;
    expect(zoneName(zoneOffsetMs(undefined, Date.UTC(2026, 6, 1)))).toBe(says);
  });
});

describe("kubectl backoff under a German locale", () => {
  it("prints dates in English", async () => {
    const env = { LC_ALL: "de_DE.UTF-8", TZ: "Europe/Berlin" };
    const { stdout } = await runFile(repositoryFile("bin/main.js"), ["demo"], { env });
    expect(stdout).toMatch(/^As of Nov \d+, 2026, \d\d:\d\d:\d\d GMT\+1 \(time of the recording\)/);
  });
});
