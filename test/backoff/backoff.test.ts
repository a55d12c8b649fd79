import { describe, expect, it } from "vitest";
import {
  type BackoffEntry,
  type BackoffPolicy,
  hasExpired,
  isInBackOffSince,
  isInBackOffSinceUpdate,
  next,
} from "../../src/backoff/backoff.ts";

const KUBELET: BackoffPolicy = { initialMs: 10_000, maxMs: 300_000, resetAfterMs: 600_000 };
const EPOCH_MS = Date.UTC(2026, 10, 21, 14, 38, 24);
const NANOSECOND_MS = 1e-6;

function delaysOf(policy: BackoffPolicy, times: number): number[] {
  const delays: number[] = [];
  let entry: BackoffEntry | undefined;
  for (let failure = 0; failure < times; failure += 1) {
    entry = next(entry, EPOCH_MS, EPOCH_MS, policy);
    delays.push(entry.delayMs / 1000);
  }
  return delays;
}

describe("next()", () => {
  it.each([
    { why: "doubles from 10s and holds at 300s", policy: KUBELET, delays: [10, 20, 40, 80, 160, 300, 300] },
    {
      why: "doubles from 10s, and holds at a lower maximum",
      policy: { ...KUBELET, maxMs: 60_000 },
      delays: [10, 20, 40, 60, 60],
    },
    {
      why: "doubles from 1s, and holds at 300s",
      policy: { ...KUBELET, initialMs: 1000 },
      delays: [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300],
    },
    {
      why: "limits the second delay to the maximum, but not the first",
      policy: { initialMs: 8000, maxMs: 5000 },
      delays: [8, 5, 5],
    },
  ])("$why", ({ policy, delays }) => {
    expect(delaysOf(policy, delays.length)).toEqual(delays);
  });

  it.each([
    { quietMs: 599_999, delayMs: 40_000, why: "after a shorter pause, the delay goes on doubling" },
    { quietMs: 600_000, delayMs: 40_000, why: "after a pause of exactly the limit, the delay goes on doubling" },
    { quietMs: 600_001, delayMs: 10_000, why: "after a pause that is a millisecond longer, the delays start over" },
  ])("after $quietMs ms without an update gives $delayMs ms: $why", ({ quietMs, delayMs }) => {
    const entry = { delayMs: 20_000, lastUpdateMs: EPOCH_MS };
    expect(next(entry, EPOCH_MS + quietMs, EPOCH_MS + 700_000, KUBELET).delayMs).toBe(delayMs);
  });

  it("sets lastUpdateMs to the time of the call, not to the time of the failure", () => {
    expect(next(undefined, EPOCH_MS - 5000, EPOCH_MS, KUBELET).lastUpdateMs).toBe(EPOCH_MS);
  });

  it.each([
    { before: undefined, drawn: 0.5, delayMs: 15_000, why: "jitter is added to the first delay" },
    { before: undefined, drawn: 0.99, delayMs: 19_900, why: "the jitter of the first delay may go past the maximum" },
    {
      before: 3_000,
      drawn: 0.5,
      delayMs: 7_500,
      why: "the second delay is twice the first, plus jitter for the first",
    },
    { before: 10_000, drawn: 0.5, delayMs: 12_000, why: "a later delay never goes past the maximum" },
    { before: 0.000003, drawn: 0.5, delayMs: 0.000007, why: "a jitter of 1.5 ns is cut to 1 ns" },
  ])("with a random number of $drawn gives $delayMs ms: $why", ({ before, drawn, delayMs }) => {
    const entry = before === undefined ? undefined : { delayMs: before, lastUpdateMs: 0 };
    const policy = { initialMs: 10_000, maxMs: 12_000, maxJitterFactor: 1 };
    expect(next(entry, 0, 0, policy, () => drawn).delayMs).toBe(delayMs);
  });

  it("draws no random number without jitter, and throws if jitter has no source of random numbers", () => {
    const forbidden = () => {
      throw new Error("drawn");
    };
    expect(next(undefined, 0, 0, { ...KUBELET, maxJitterFactor: 0 }, forbidden).delayMs).toBe(10_000);
    expect(() => next(undefined, 0, 0, { ...KUBELET, maxJitterFactor: 0.1 })).toThrow("source of random numbers");
  });
});

describe("isInBackOffSince()", () => {
  const entry = { delayMs: 20_000, lastUpdateMs: EPOCH_MS - 1000 };

  it.each([
    { passedMs: 0, expected: true, why: "it has just failed" },
    { passedMs: 19_999, expected: true, why: "a millisecond of the delay is left" },
    { passedMs: 20_000, expected: false, why: "the back-off is over exactly at the end of the delay" },
    { passedMs: -5000, expected: true, why: "a failure in the future counts as in back-off, too" },
  ])("is $expected $passedMs ms after the failure: $why", ({ passedMs, expected }) => {
    expect(isInBackOffSince(entry, EPOCH_MS, EPOCH_MS + passedMs, KUBELET)).toBe(expected);
  });

  it("is false without an entry, and for a failure after the entry has expired", () => {
    expect(isInBackOffSince(undefined, EPOCH_MS, EPOCH_MS, KUBELET)).toBe(false);
    const atEndMs = entry.lastUpdateMs + 600_000;
    expect(isInBackOffSince(entry, atEndMs, atEndMs, KUBELET)).toBe(true);
    expect(isInBackOffSince(entry, atEndMs + 1, atEndMs + 1, KUBELET)).toBe(false);
  });

  it("compares times to the nanosecond", () => {
    expect(isInBackOffSince(entry, 0.1, 20_000.1 - NANOSECOND_MS, { ...KUBELET, resetAfterMs: 1e15 })).toBe(true);
    expect(isInBackOffSince(entry, 0.1, 20_000.1, { ...KUBELET, resetAfterMs: 1e15 })).toBe(false);
  });
});

describe("isInBackOffSinceUpdate()", () => {
  const entry = { delayMs: 20_000, lastUpdateMs: EPOCH_MS };

  it.each([
    { passedMs: 19_999, expected: true, why: "a millisecond of the delay is left" },
    { passedMs: 20_000, expected: false, why: "the back-off is over exactly at the end of the delay" },
  ])("is $expected $passedMs ms after the last update: $why", ({ passedMs, expected }) => {
    expect(isInBackOffSinceUpdate(entry, EPOCH_MS + passedMs, KUBELET)).toBe(expected);
  });

  it("is false without an entry, and for an entry that expired before the end of its delay", () => {
    expect(isInBackOffSinceUpdate(undefined, EPOCH_MS, KUBELET)).toBe(false);
    expect(isInBackOffSinceUpdate(entry, EPOCH_MS + 9000, { ...KUBELET, resetAfterMs: 8000 })).toBe(false);
  });
});

describe("hasExpired()", () => {
  it.each([
    { policy: KUBELET, quietMs: 600_000, expected: false, why: "exactly at the limit, an entry has not expired" },
    { policy: KUBELET, quietMs: 600_000 + NANOSECOND_MS, expected: true, why: "the limit passed a nanosecond ago" },
    {
      policy: { initialMs: 1, maxMs: 50 },
      quietMs: 100,
      expected: false,
      why: "client-go's own limit is twice the maximum",
    },
    {
      policy: { initialMs: 1, maxMs: 50 },
      quietMs: 100 + NANOSECOND_MS,
      expected: true,
      why: "twice the maximum passed a nanosecond ago",
    },
    {
      policy: { ...KUBELET, resetAfterMs: 0 },
      quietMs: 0,
      expected: false,
      why: "a limit of 0 counts as a limit, too",
    },
  ])("is $expected after $quietMs ms: $why", ({ policy, quietMs, expected }) => {
    expect(hasExpired({ delayMs: 1, lastUpdateMs: 0 }, quietMs, policy)).toBe(expected);
  });
});
