import { describe, expect, it } from "vitest";
import { fitOfSeries, timeForReset } from "../../../src/explain/history/lifetime.ts";
import { crashLoopPolicy } from "../../../src/kubelet/policy.ts";

const MINUTE_MS = 60_000;
const POLICY = crashLoopPolicy({
  version: { major: 1, minor: 37 },
  featureGates: {},
  maxContainerRestartPeriodMs: null,
  syncFrequencyMs: null,
});
const TEN_SECONDS = { ...POLICY, maxMs: 10_000 };

describe("fitOfSeries()", () => {
  it.each([
    { restarts: 0, spanMs: 0, policy: POLICY, from: 1, to: 1, why: "nothing to explain" },
    { restarts: 8, spanMs: 960_000, policy: POLICY, from: 0.9, to: 1, why: "910 s of waits, eight runs of 5 s" },
    { restarts: 8, spanMs: 1_300_000, policy: POLICY, from: 0.5, to: 0.7, why: "a third longer is nothing special" },
    { restarts: 8, spanMs: 900_000, policy: POLICY, from: 0.001, to: 0.001, why: "less than the waits alone" },
    { restarts: 8, spanMs: 100 * MINUTE_MS, policy: POLICY, from: 0.3, to: 0.3, why: "a long first run is possible" },
    { restarts: 18, spanMs: 73 * MINUTE_MS, policy: POLICY, from: 0.9, to: 1, why: "the cap, many times" },
    { restarts: 18, spanMs: 73 * MINUTE_MS, policy: TEN_SECONDS, from: 0.3, to: 0.3, why: "18 of 10 s fill no hour" },
  ])("of $restarts restarts in $spanMs ms is $from … $to: $why", ({ restarts, spanMs, policy, from, to }) => {
    const fit = fitOfSeries({ fromStart: 0, spanMs, runMs: 5_000 }, restarts, policy);
    expect(fit).toBeGreaterThanOrEqual(from);
    expect(fit).toBeLessThanOrEqual(to);
  });
});

describe("timeForReset()", () => {
  it.each([
    { restarts: 7, level: 0, spanMs: 1_000_000, sinceMs: 0, leftMs: 610_000, why: "360 s of waits, six runs of 5 s" },
    {
      restarts: 7,
      level: 2,
      spanMs: 1_000_000,
      sinceMs: 48_500,
      leftMs: 842_500,
      why: "38.5 s of waits; before that 89 s",
    },
    {
      restarts: 2,
      level: 1,
      spanMs: 100_000,
      sinceMs: 18_000,
      leftMs: 82_000,
      why: "the first restart began the curve",
    },
    {
      restarts: 7,
      level: 0,
      spanMs: 100_000,
      sinceMs: 0,
      leftMs: -290_000,
      why: "there was not even time for the waits",
    },
  ])("$restarts restarts, at step $level of the curve: $why", ({ restarts, level, spanMs, sinceMs, leftMs }) => {
    expect(timeForReset({ fromStart: 0, spanMs, runMs: 5_000 }, restarts, level, POLICY)).toMatchObject({
      sinceMs,
      leftMs,
    });
  });
});
