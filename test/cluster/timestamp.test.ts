import { describe, expect, it } from "vitest";
import { instantOf } from "../../src/cluster/objects/timestamp.ts";

describe("instantOf()", () => {
  const noonMs = Date.UTC(2026, 10, 21, 12, 0, 0);

  it.each([
    { text: "2026-11-21T12:00:00Z", ms: noonMs, why: "as the API prints it" },
    { text: "2026-11-21t12:00:00z", ms: noonMs, why: "small letters" },
    { text: "2026-11-21T12:00:00.5Z", ms: noonMs + 500, why: "a fraction" },
    { text: "2026-11-21T12:00:00.123456Z", ms: noonMs + 123, why: "microseconds are cut off" },
    { text: "2026-11-21T12:00:00.999999999Z", ms: noonMs + 999, why: "never rounded up" },
    { text: "2026-11-21T13:00:00+01:00", ms: noonMs, why: "an offset" },
    { text: "2026-11-21T06:30:00.25-05:30", ms: noonMs + 250, why: "an offset and a fraction" },
    { text: "2000-01-01T00:00:00Z", ms: Date.UTC(2000, 0, 1), why: "the first that is believed" },
  ])("reads $text: $why", ({ text, ms }) => {
    expect(instantOf(text)).toBe(ms);
  });

  it.each([
    { value: "1970-01-01T00:00:00Z", why: "what the runtime writes for not known" },
    { value: "0001-01-01T00:00:00Z", why: "Go's zero time" },
    { value: "1999-12-31T23:59:59Z", why: "before Kubernetes" },
    { value: "2026-02-30T12:00:00Z", why: "no such day" },
    { value: "2026-13-01T12:00:00Z", why: "no such month" },
    { value: "2026-11-21T25:00:00Z", why: "no such hour" },
    { value: "2026-11-21T12:00:00", why: "no offset: some local time" },
    { value: "2026-11-21", why: "no time" },
    { value: "2026-11-21 12:00:00Z", why: "no T" },
    { value: "soon", why: "no timestamp" },
    { value: "", why: "empty" },
    { value: noonMs, why: "a number" },
    { value: null, why: "null" },
    { value: ["2026-11-21T12:00:00Z"], why: "an array" },
    { value: { toString: () => "2026-11-21T12:00:00Z" }, why: "an object" },
  ])("gives null: $why", ({ value }) => {
    expect(instantOf(value)).toBeNull();
  });
});
