import { describe, expect, it } from "vitest";
import { fitOfSeries, timeForReset } from "../../../src/explain/history/unobserved-period.ts";
import { crashLoopPolicy } from "../../../src/kubelet/crash-loop-policy.ts";
import { MINUTE_MS } from "../../../src/kubelet/go-duration.ts";
import { rowsOf } from "../../support/text-table.ts";

const POLICY = crashLoopPolicy({
  version: { major: 1, minor: 37 },
  featureGates: {},
  maxContainerRestartPeriodMs: null,
  syncFrequencyMs: null,
});
const TEN_SECONDS = { ...POLICY, maxMs: 10_000 };

describe("fitOfSeries()", () => {
  it.each([
    { restarts: 0, spanMs: 0, policy: POLICY, from: 1, to: 1, why: "no restart needs no time" },
    { restarts: 8, spanMs: 960_000, policy: POLICY, from: 0.9, to: 1, why: "910 s of waits, eight runs of 5 s" },
    {
      restarts: 8,
      spanMs: 1_300_000,
      policy: POLICY,
      from: 0.5,
      to: 0.7,
      why: "a time that is a third longer is possible",
    },
    { restarts: 8, spanMs: 900_000, policy: POLICY, from: 0.001, to: 0.001, why: "the waits alone take longer" },
    { restarts: 8, spanMs: 100 * MINUTE_MS, policy: POLICY, from: 0.3, to: 0.3, why: "a long first run is possible" },
    { restarts: 18, spanMs: 73 * MINUTE_MS, policy: POLICY, from: 0.9, to: 1, why: "the maximum, many times" },
    {
      restarts: 18,
      spanMs: 73 * MINUTE_MS,
      policy: TEN_SECONDS,
      from: 0.3,
      to: 0.3,
      why: "18 waits of 10 s do not fill an hour",
    },
  ])("of $restarts restarts in $spanMs ms is $from … $to: $why", ({ restarts, spanMs, policy, from, to }) => {
    const fit = fitOfSeries({ fromStart: 0, spanMs, runMs: 5_000 }, restarts, policy);
    expect(fit).toBeGreaterThanOrEqual(from);
    expect(fit).toBeLessThanOrEqual(to);
  });
});

const RESETS = `
  restarts  step  lifetime  since  left    why
  7         0     1000      0      610     360 s of waits, six runs of 5 s
  7         2     1000      48.5   842.5   38.5 s of waits; before that 89 s
  2         1     100       18     82      the first restart began the curve
  7         0     100       0      -290    there was not even time for the waits
`;

describe("timeForReset()", () => {
  it.each(rowsOf<"restarts" | "step" | "lifetime" | "since" | "left" | "why">(RESETS))(
    "$restarts restarts in $lifetime s, at step $step of the curve: $why",
    ({ restarts, step, lifetime, since, left }) => {
      const span = { fromStart: 0, spanMs: Number(lifetime) * 1_000, runMs: 5_000 };
      const expected = { sinceMs: Number(since) * 1_000, leftMs: Number(left) * 1_000 };
      expect(timeForReset(span, Number(restarts), Number(step), POLICY)).toMatchObject(expected);
    },
  );
});
