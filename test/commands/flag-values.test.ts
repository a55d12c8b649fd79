import { describe, expect, it } from "vitest";
import {
  AT,
  KUBELET_VERSION,
  REQUEST_TIMEOUT,
  RESTART_PERIOD,
  type ValueForm,
  valueIn,
} from "../../src/commands/flags/flag-values.ts";

describe("valueIn()", () => {
  it.each<{ form: ValueForm<unknown>; text: string; value: unknown; why?: string }>([
    { form: REQUEST_TIMEOUT, text: "1m30s", value: 90_000 },
    { form: REQUEST_TIMEOUT, text: "30", value: 30_000, why: "seconds, as in kubectl" },
    { form: REQUEST_TIMEOUT, text: "0", value: 0 },
    { form: REQUEST_TIMEOUT, text: "0s", value: 0 },
    { form: RESTART_PERIOD, text: "1s", value: 1_000, why: "the smallest value" },
    { form: RESTART_PERIOD, text: "5m", value: 300_000, why: "the largest value" },
    { form: RESTART_PERIOD, text: "1m0s", value: 60_000, why: "as configz prints it" },
    { form: KUBELET_VERSION, text: "v1.37.1", value: "v1.37.1" },
    { form: KUBELET_VERSION, text: "v1.19", value: "v1.19", why: "the oldest version" },
    { form: KUBELET_VERSION, text: "1.31", value: "v1.31" },
    { form: KUBELET_VERSION, text: "v1.34.4-gke.100", value: "v1.34.4-gke.100" },
  ])("reads $text as $value", ({ form, text, value }) => expect(valueIn("flag", text, form)).toBe(value));

  const DATES = ["yesterday", "2026-11-21", "2026-11-21T14:03:00", "2026-02-30T00:00:00Z"];
  it.each<{ form: ValueForm<unknown>; texts: string[]; says: string }>([
    { form: REQUEST_TIMEOUT, texts: ["", "-1", "-5s", "soon", "5 s", "1.5"], says: "a duration" },
    { form: RESTART_PERIOD, texts: ["0", "999ms", "5m1s", "-60s", "60", ""], says: "a duration from 1s" },
    { form: AT, texts: [...DATES, "24:00", "13:60", "5m", "--5m", "-5", ""], says: "13:43, -5m" },
    {
      form: KUBELET_VERSION,
      texts: ["v1.18", "v1.38.0", "v2.30", "1", "latest", ""],
      says: "a version from v1.19 to v1.37",
    },
  ])("refuses $texts and names what is correct: $says", ({ form, texts, says }) => {
    for (const text of texts)
      expect(() => valueIn("flag", text, form)).toThrow(`Invalid value "${text}" for --flag.\nPass ${says}`);
  });
});

describe("--at", () => {
  it.each(["2026-11-21T14:03:00+01:00", "2026-11-21T13:03:00Z", "2026-11-21T08:03:00-05:00"])("takes %s", (text) => {
    expect(valueIn("at", text, AT)(0)).toBe(Date.UTC(2026, 10, 21, 13, 3));
  });

  it.each([
    { text: "13:43", at: "2026-11-21T13:43:00", why: "a time of today" },
    { text: "14:03:20", at: "2026-11-21T14:03:20", why: "the present time" },
    { text: "14:04", at: "2026-11-20T14:04:00", why: "a time later than now is yesterday's" },
    { text: "9:05", at: "2026-11-21T09:05:00", why: "the hour may have one digit" },
    { text: "-1h30m", at: "2026-11-21T12:33:20", why: "a duration before now" },
    { text: "-0s", at: "2026-11-21T14:03:20", why: "the word now" },
  ])("takes $text in the reader's zone: $why", ({ text, at }) => {
    expect(valueIn("at", text, AT)(new Date("2026-11-21T14:03:20").getTime())).toBe(new Date(at).getTime());
  });
});
