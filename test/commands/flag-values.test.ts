import { describe, expect, it } from "vitest";
import { AT, KUBELET_VERSION, REQUEST_TIMEOUT, RESTART_PERIOD, valueIn } from "../../src/commands/flags/flag-values.ts";

describe("REQUEST_TIMEOUT", () => {
  it.each([
    { text: "5s", timeoutMs: 5_000 },
    { text: "1m30s", timeoutMs: 90_000 },
    { text: "30", timeoutMs: 30_000 },
    { text: "0", timeoutMs: 0 },
    { text: "0s", timeoutMs: 0 },
  ])("takes $text", ({ text, timeoutMs }) => {
    expect(valueIn("request-timeout", text, REQUEST_TIMEOUT)).toBe(timeoutMs);
  });

  it.each(["", "-1", "-5s", "soon", "5 s", "1.5"])("refuses '%s'", (text) => {
    expect(() => valueIn("request-timeout", text, REQUEST_TIMEOUT)).toThrow(
      `Invalid value "${text}" for --request-timeout.\nPass a duration`,
    );
  });
});

describe("RESTART_PERIOD", () => {
  it.each([
    { text: "1s", periodMs: 1_000, why: "the least" },
    { text: "5m", periodMs: 300_000, why: "the most" },
    { text: "1m0s", periodMs: 60_000, why: "as configz prints it" },
  ])("takes $text: $why", ({ text, periodMs }) => {
    expect(valueIn("max-restart-period", text, RESTART_PERIOD)).toBe(periodMs);
  });

  it.each(["0", "999ms", "5m1s", "-60s", "60", ""])("refuses '%s', as the kubelet does", (text) => {
    expect(() => valueIn("max-restart-period", text, RESTART_PERIOD)).toThrow(
      `Invalid value "${text}" for --max-restart-period.\nPass a duration from 1s`,
    );
  });
});

describe("AT", () => {
  it("takes RFC 3339 with any zone", () => {
    expect(valueIn("at", "2026-11-21T14:03:00+01:00", AT)(0)).toBe(Date.UTC(2026, 10, 21, 13, 3));
  });

  it.each([
    { text: "13:43", at: "2026-11-21T13:43:00", why: "today" },
    { text: "14:03:20", at: "2026-11-21T14:03:20", why: "this second" },
    { text: "14:04", at: "2026-11-20T14:04:00", why: "what is still to come was yesterday" },
    { text: "9:05", at: "2026-11-21T09:05:00", why: "an hour of one digit" },
    { text: "-5m", at: "2026-11-21T13:58:20", why: "so long ago" },
    { text: "-1h30m", at: "2026-11-21T12:33:20", why: "so long ago" },
    { text: "-0s", at: "2026-11-21T14:03:20", why: "now" },
  ])("takes $text in the reader's zone: $why", ({ text, at }) => {
    expect(valueIn("at", text, AT)(new Date("2026-11-21T14:03:20").getTime())).toBe(new Date(at).getTime());
  });

  const DATES = ["yesterday", "2026-11-21", "2026-11-21T14:03:00", "2026-02-30T00:00:00Z"];
  it.each([...DATES, "24:00", "13:60", "5m", "--5m", "-5", ""])("refuses '%s'", (text) => {
    expect(() => valueIn("at", text, AT)).toThrow(`Invalid value "${text}" for --at.\nPass 13:43, -5m`);
  });
});

describe("KUBELET_VERSION", () => {
  it.each([
    { text: "v1.37.1", version: "v1.37.1" },
    { text: "v1.19", version: "v1.19" },
    { text: "1.31", version: "v1.31" },
    { text: "v1.34.4-gke.100", version: "v1.34.4-gke.100" },
  ])("takes $text", ({ text, version }) => {
    expect(valueIn("kubelet-version", text, KUBELET_VERSION)).toBe(version);
  });

  it.each(["v1.18", "v1.38.0", "v2.30", "1", "latest", ""])("refuses '%s', which the model is not for", (text) => {
    expect(() => valueIn("kubelet-version", text, KUBELET_VERSION)).toThrow(
      `Invalid value "${text}" for --kubelet-version.\nPass one from v1.19 to v1.37`,
    );
  });
});
