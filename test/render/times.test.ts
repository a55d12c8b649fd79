import { describe, expect, it } from "vitest";
import { timesAround } from "../../src/render/page/times.ts";

const NOW = Date.parse("2026-11-21T13:03:11Z");
const berlin = timesAround(NOW, "Europe/Berlin");

describe("instant()", () => {
  it.each([
    { at: "2026-11-21T13:04:38Z", printed: "14:04:38 GMT+1", why: "today" },
    { at: "2026-11-20T22:59:01Z", printed: "Nov 20 23:59:01 GMT+1", why: "yesterday" },
    { at: "2026-11-21T23:00:00Z", printed: "Nov 22 00:00:00 GMT+1", why: "tomorrow, in the reader's zone" },
    { at: "2025-11-21T13:04:38Z", printed: "Nov 21 2025 14:04:38 GMT+1", why: "the same day of another year" },
    { at: "2026-07-01T10:00:00Z", printed: "Jul 1 12:00:00 GMT+2", why: "summer time is another offset" },
    { at: "2026-11-21T13:04:38.900Z", printed: "14:04:38 GMT+1", why: "fractions of a second are cut off" },
  ])("prints $at as $printed: $why", ({ at, printed }) => {
    expect(berlin.instant(Date.parse(at))).toBe(printed);
  });

  it.each([
    ["America/New_York", "08:03:11 GMT-5"],
    ["Australia/Sydney", "Nov 22 00:03:11 GMT+11"],
    ["Asia/Kolkata", "18:33:11 GMT+5:30"],
    ["America/St_Johns", "09:33:11 GMT-3:30"],
    ["UTC", "13:03:11 UTC"],
    ["Europe/London", "13:03:11 UTC"],
  ])("names the zone %s by its offset: %s", (zone, printed) => {
    expect(timesAround(Date.parse("2026-11-21T06:00:00Z"), zone).instant(NOW)).toBe(printed);
  });

  it("takes the process's zone by default", () => {
    expect(timesAround(NOW).instant(NOW)).toBe("14:03:11 GMT+1");
  });
});

describe("span()", () => {
  it.each([
    { from: "2026-11-21T13:04:38Z", to: "2026-11-21T13:05:08Z", printed: "14:04:38-14:05:08 GMT+1" },
    { from: "2026-11-21T13:04:38.9Z", to: "2026-11-21T13:05:07.1Z", printed: "14:04:38-14:05:08 GMT+1" },
    { from: "2026-11-20T13:04:38Z", to: "2026-11-20T13:05:08Z", printed: "Nov 20 14:04:38-14:05:08 GMT+1" },
    {
      from: "2026-11-01T13:04:38Z",
      to: "2026-11-21T12:04:40Z",
      printed: "Nov 1 14:04:38 GMT+1 to Nov 21 13:04:40 GMT+1",
    },
    {
      from: "2025-11-21T13:04:38Z",
      to: "2026-11-21T12:04:40Z",
      printed: "Nov 21 2025 14:04:38 GMT+1 to Nov 21 13:04:40 GMT+1",
    },
    { from: "2026-11-21T22:59:50Z", to: "2026-11-21T23:00:20Z", printed: "23:59:50 GMT+1 to Nov 22 00:00:20 GMT+1" },
    {
      from: "2026-10-25T00:59:50Z",
      to: "2026-10-25T01:00:20Z",
      printed: "Oct 25 02:59:50 GMT+2 to Oct 25 02:00:20 GMT+1",
    },
  ])("prints $from to $to as $printed", ({ from, to, printed }) => {
    expect(berlin.span(Date.parse(from), Date.parse(to))).toBe(printed);
  });
});

describe("dated()", () => {
  it("always gives the day", () => {
    expect(berlin.dated(NOW)).toBe("Nov 21, 2026, 14:03:11 GMT+1");
  });
});
