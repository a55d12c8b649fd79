import { describe, expect, it } from "vitest";
import { restartWindow, shareStillDown } from "../../src/kubelet/restart-window.ts";

const S = 1_000;
const H = 3_600 * S;
const YEARS = 200 * 365 * 24 * H;
const AT_EXPIRY = { kind: "at-expiry", resyncMs: 60 * S } as const;
const LOOKS = { siblingsPlannedAtMs: [], syncedAtMs: 0, spreadMs: 2 * S, noSyncUntilMs: null };

describe("restartWindow() of waits that no kubelet has", () => {
  it.each([
    { readyMs: 3 * H, plannedMs: 3 * H, rule: AT_EXPIRY, why: "three hours" },
    { readyMs: YEARS, plannedMs: YEARS, rule: AT_EXPIRY, why: "two hundred years" },
    { readyMs: YEARS, plannedMs: YEARS, rule: { kind: "every-10s" } as const, why: "two hundred years of looks" },
    { readyMs: 600 * S, plannedMs: YEARS, rule: AT_EXPIRY, why: "an entry that goes long before its wait would end" },
  ])("ends within a round of looks: $why", ({ readyMs, plannedMs, rule }) => {
    const wait = { readyAtMs: readyMs, plannedAtMs: plannedMs, ...LOOKS };
    const window = restartWindow(wait, rule, 10 * S, 0.95);
    expect(window?.notBeforeMs).toBeGreaterThanOrEqual(readyMs);
    expect(window?.likelyByMs).toBeLessThanOrEqual(readyMs + 120 * S);
    expect(shareStillDown(wait, rule, 10 * S)).toBeCloseTo(1, 6);
  });

  it("takes no notice of how far back the look before a long wait was", () => {
    const from = (syncedAtMs: number) =>
      restartWindow({ ...LOOKS, readyAtMs: 5 * H, plannedAtMs: 5 * H, syncedAtMs }, AT_EXPIRY, 4.9 * H, 0.95);
    expect(from(0)).toEqual(from(2 * H));
  });
});
