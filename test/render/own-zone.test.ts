import { afterEach, describe, expect, it } from "vitest";
import { ownZoneName } from "../../src/render/page/own-zone.ts";
import { timesAround, zoneNamer } from "../../src/render/page/times.ts";

const WINTER = Date.parse("2026-01-15T13:03:11Z");
const SUMMER = Date.parse("2026-07-15T01:09:05Z");
const MOMENTS = [WINTER, SUMMER];

/** Where V8's long name does not tell apart what Intl does. */
const OTHERWISE: Readonly<Record<string, readonly string[]>> = {
  "America/Adak": ["HST", "HADT"],
  "Africa/Casablanca": ["WEST", "WEST"],
  "Africa/El_Aaiun": ["WEST", "WEST"],
};

const ownZone = process.env["TZ"];

function moveTo(zone: string): void {
  process.env["TZ"] = zone;
}

afterEach(() => moveTo(ownZone ?? "UTC"));

describe("ownZoneName()", () => {
  it("says what Intl says, in every zone and season", () => {
    const different = [...Intl.supportedValuesOf("timeZone"), "UTC"].filter((zone) => {
      moveTo(zone);
      const expected = OTHERWISE[zone] ?? MOMENTS.map(zoneNamer(zone));
      return MOMENTS.map(ownZoneName).join() !== expected.join();
    });
    expect(different).toEqual([]);
  });
});

describe("timesAround() without a zone", () => {
  it.each(["Europe/Berlin", "America/St_Johns", "Asia/Kathmandu", "Pacific/Kiritimati", "UTC"])(
    "tells times as in %s",
    (zone) => {
      moveTo(zone);
      const [own, named] = [timesAround(WINTER), timesAround(WINTER, zone)];
      for (const atMs of [...MOMENTS, Date.parse("2025-12-31T23:59:59.9Z")]) {
        expect(own.instant(atMs)).toBe(named.instant(atMs));
        expect(own.dated(atMs)).toBe(named.dated(atMs));
      }
    },
  );
});
