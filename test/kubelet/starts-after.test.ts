import { describe, expect, it } from "vitest";
import type { RetryRule } from "../../src/kubelet/retry-rule.ts";
import { type KnownSyncs, startsAfter } from "../../src/kubelet/starts-after.ts";
import { S } from "../support/builders.ts";

const EXIT = Date.UTC(2026, 10, 21, 12);
const NEW: RetryRule = { kind: "at-expiry", resyncMs: 60 * S };
const OLD: RetryRule = { kind: "every-10s" };

type WaitInView = KnownSyncs & { readonly readyAtMs: number; readonly plannedAtMs: number };

function waitOf(delayS: number, overrides: Partial<WaitInView> = {}): WaitInView {
  const endMs = EXIT + delayS * S;
  const syncs = { syncedAtMs: EXIT, spreadMs: 2 * S, noSyncUntilMs: null };
  return { readyAtMs: endMs, plannedAtMs: endMs, siblingsPlannedAtMs: [], ...syncs, ...overrides };
}

function windowS(wait: WaitInView, rule: RetryRule, nowS: number) {
  const starts = startsAfter(wait, wait, rule).given(EXIT + nowS * S);
  if (starts === null) return null;
  return [starts.fromMs, starts.quantile(0.95)].map((atMs) => (atMs - EXIT) / S);
}

describe("startsAfter()", () => {
  it.each([
    // `latestS` are 95 % quantiles of the lateness in simulations of the kubelet's syncs.
    { delayS: 10, latestS: 5 },
    { delayS: 20, latestS: 10 },
    { delayS: 40, latestS: 20 },
    { delayS: 60, latestS: 29 },
    { delayS: 80, latestS: 9 },
    { delayS: 160, latestS: 13 },
    { delayS: 300, latestS: 23 },
  ])(
    "at-expiry, a delay of $delayS s: 95% of the starts come within $latestS s to 3 s more after it",
    ({ delayS, latestS }) => {
      const [fromS = 0, toS = 0] = windowS(waitOf(delayS), NEW, 2) ?? [];
      expect(fromS).toBe(delayS + 0.5);
      expect(toS - delayS).toBeGreaterThanOrEqual(latestS);
      expect(toS - delayS).toBeLessThanOrEqual(latestS + 3);
    },
  );

  it.each([10, 20, 40, 80, 160, 300])(
    "every-10s, a delay of %i s: 95% of the starts come within 5 to 17 s after it",
    (delayS) => {
      const [fromS = 0, toS = 0] = windowS(waitOf(delayS), OLD, 2) ?? [];
      expect(fromS).toBeGreaterThanOrEqual(delayS);
      expect(toS - delayS).toBeGreaterThanOrEqual(5);
      expect(toS - delayS).toBeLessThanOrEqual(17);
    },
  );

  it("gives a shorter window if the last sync is known", () => {
    const lastSync = { syncedAtMs: EXIT + 275 * S, spreadMs: S, noSyncUntilMs: EXIT + 280 * S };
    const [fromS = 0, toS = 0] = windowS(waitOf(300, lastSync), NEW, 281) ?? [];
    expect(fromS).toBe(300.5);
    expect(toS).toBeLessThanOrEqual(316);
  });

  it("never gives a start before now, and gives shorter windows as time passes", () => {
    const early = windowS(waitOf(300), NEW, 2) ?? [];
    const late = windowS(waitOf(300), NEW, 310) ?? [];
    expect(late[0]).toBe(310);
    expect((late[1] ?? 0) - (late[0] ?? 0)).toBeLessThan((early[1] ?? 0) - (early[0] ?? 0));
  });

  it("is null once the retry rule cannot explain the wait", () => {
    expect(windowS(waitOf(10), NEW, 60)).toBeNull();
  });

  it("gives late starts after the entry is dropped, because the kubelet planned its sync from the delay", () => {
    const dropped = waitOf(160, { readyAtMs: EXIT + 20 * S });
    const [fromS = 0, toS = 0] = windowS(dropped, NEW, 2) ?? [];
    expect(fromS).toBeGreaterThanOrEqual(58);
    expect(toS).toBeGreaterThan(85);
  });

  it("gives earlier starts if another container's wait ends earlier, because that plans the next sync", () => {
    const beside = waitOf(40, { siblingsPlannedAtMs: [EXIT + 30 * S] });
    expect(windowS(beside, NEW, 2)?.[1]).toBeLessThan(windowS(waitOf(40), NEW, 2)?.[1] ?? 0);
  });
});

describe("startsAfter() for waits that no kubelet makes", () => {
  const HOUR_S = 3_600;
  const YEARS_S = 200 * 365 * 24 * HOUR_S;

  it.each([
    { readyS: 3 * HOUR_S, plannedS: 3 * HOUR_S, rule: NEW, why: "a wait of three hours" },
    { readyS: YEARS_S, plannedS: YEARS_S, rule: NEW, why: "a wait of two hundred years" },
    { readyS: YEARS_S, plannedS: YEARS_S, rule: OLD, why: "a wait of two hundred years, with a sync every 10 s" },
    {
      readyS: 600,
      plannedS: YEARS_S,
      rule: NEW,
      why: "a wait of ten minutes, whose entry is dropped long before the planned end",
    },
  ])("ends its window soon after the wait: $why", ({ readyS, plannedS, rule }) => {
    const wait = waitOf(plannedS, { readyAtMs: EXIT + readyS * S });
    const [fromS = 0, toS = 0] = windowS(wait, rule, 10) ?? [];
    expect(fromS).toBeGreaterThanOrEqual(readyS);
    expect(toS).toBeLessThanOrEqual(readyS + 120);
    expect(startsAfter(wait, wait, rule).by(EXIT + 10 * S)).toBe(0);
  });

  it("does not depend on how long before the end of the wait the last known sync was", () => {
    const from = (syncedAtS: number) =>
      windowS(waitOf(5 * HOUR_S, { syncedAtMs: EXIT + syncedAtS * S }), NEW, 4.9 * HOUR_S);
    expect(from(0)).toEqual(from(2 * HOUR_S));
  });
});

describe("by(), the probability of a start until a time", () => {
  const within2s = (wait: WaitInView, atS: number) => {
    const starts = startsAfter(wait, wait, OLD);
    return starts.by(EXIT + (atS + 1) * S) - starts.by(EXIT + (atS - 1) * S);
  };

  it("gives a start at 22 s a higher probability for a delay of 20 s than for one of 10 s", () => {
    expect(within2s(waitOf(20), 22)).toBeGreaterThan(0.05);
    expect(within2s(waitOf(10), 22)).toBeLessThan(0.02);
  });

  it("is 0 before a delay of 40 s ends, and 1 half a minute after it", () => {
    const wait = waitOf(40);
    const starts = startsAfter(wait, wait, NEW);
    expect(starts.by(EXIT + 30 * S)).toBe(0);
    expect(starts.by(EXIT + 50 * S)).toBeGreaterThan(0.3);
    expect(starts.by(EXIT + 70 * S)).toBe(1);
  });
});
