import { describe, expect, it } from "vitest";
import { formatGoDuration, parseGoDuration } from "../../src/kubelet/go-duration.ts";

describe("parseGoDuration()", () => {
  it.each([
    { text: "5m0s", ms: 300_000, why: "a kubelet prints durations like this" },
    { text: "1h2m3.5s", ms: 3_723_500, why: "several units, a fraction in the last" },
    { text: "300ms", ms: 300, why: "m and s together are milliseconds" },
    { text: "1.5h", ms: 5_400_000, why: "a fraction of any unit" },
    { text: ".5s", ms: 500, why: "no digit before the point" },
    { text: "1.s", ms: 1000, why: "no digit after the point" },
    { text: "-1.5h", ms: -5_400_000, why: "a minus sign" },
    { text: "+5s", ms: 5000, why: "a plus sign" },
    { text: "0", ms: 0, why: "zero alone needs no unit" },
    { text: "-0", ms: 0, why: "there is no negative zero" },
    { text: "1us", ms: 0.001, why: "microseconds in ASCII" },
    { text: "1\u00b5s", ms: 0.001, why: "microseconds with the micro sign" },
    { text: "1\u03bcs", ms: 0.001, why: "microseconds with the Greek letter" },
    { text: "1ns", ms: 1e-6, why: "the smallest unit" },
    { text: "0.3333333333333333333h", ms: 1_200_000, why: "from Go's time_test.go: twenty minutes" },
    { text: "0.100000000000000000000h", ms: 360_000, why: "from Go's time_test.go: many digits" },
    { text: "0.830103483285477580700h", ms: 2_988_372.539827, why: "from Go's time_test.go: too many digits" },
    { text: "9223372036854775807ns", ms: 9_223_372_036_854.775, why: "the longest that an int64 holds" },
  ])("reads $text: $why", ({ text, ms }) => {
    expect(parseGoDuration(text)).toBe(ms);
  });

  it.each([
    { text: "", why: "an empty text" },
    { text: "3", why: "no unit" },
    { text: "s", why: "only a unit" },
    { text: ".s", why: "no digit" },
    { text: "5d", why: "Go has no days" },
    { text: "5m 0s", why: "a space" },
    { text: "1e3s", why: "an exponent" },
    { text: "5m-1s", why: "a sign in the middle" },
    { text: "9223372036854775808ns", why: "longer than an int64 holds" },
    { text: "3000000h", why: "longer than an int64 holds" },
    { text: "1".repeat(100_000), why: "100,000 digits without a unit" },
  ])("rejects a text that Go rejects, too: $why", ({ text }) => {
    expect(parseGoDuration(text)).toBeNull();
  });
});

describe("formatGoDuration()", () => {
  it.each([
    { ms: 160_000, text: "2m40s" },
    { ms: 60_000, text: "1m0s" },
    { ms: 3_600_000, text: "1h0m0s" },
    { ms: 3_723_500, text: "1h2m3.5s" },
    { ms: 360_000_000, text: "100h0m0s" },
    { ms: 0, text: "0s" },
    { ms: 300, text: "300ms" },
    { ms: 2.2, text: "2.2ms" },
    { ms: 0.0011, text: "1.1\u00b5s" },
    { ms: 1e-6, text: "1ns" },
    { ms: 1e-7, text: "0s" },
    { ms: -90_000, text: "-1m30s" },
  ])("prints $ms ms as $text", ({ ms, text }) => {
    expect(formatGoDuration(ms)).toBe(text);
  });

  it("prints what parseGoDuration() reads back", () => {
    for (let ms = 1; ms < 1e12; ms = ms * 7 + 3) expect(parseGoDuration(formatGoDuration(ms))).toBe(ms);
  });
});
