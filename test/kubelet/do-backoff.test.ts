import { describe, expect, it } from "vitest";
import type { BackoffEntry } from "../../src/backoff/backoff.ts";
import { entryAfterStart, waitAfter } from "../../src/kubelet/do-backoff.ts";
import { S } from "../support/builders.ts";

const POLICY = { initialMs: 10_000, maxMs: 300_000, resetAfterMs: 600_000 };

function delaysOf(runsMs: readonly number[], killedBySync: boolean): { delaysS: number[]; waitsS: number[] } {
  let entry: BackoffEntry | undefined;
  let previous: number | null = null;
  let startedAtMs = 0;
  const delaysS: number[] = [];
  const waitsS: number[] = [];
  for (const runMs of runsMs) {
    const finishedAtMs = startedAtMs + runMs;
    const wait = waitAfter(entry, previous, { finishedAtMs, killedBySync }, POLICY);
    startedAtMs = Math.max(finishedAtMs, wait.readyAtMs);
    delaysS.push(wait.delayMs / S);
    waitsS.push((startedAtMs - finishedAtMs) / S);
    entry = entryAfterStart(entry, wait, startedAtMs, POLICY);
    previous = finishedAtMs;
  }
  return { delaysS, waitsS };
}

describe("waitAfter() and entryAfterStart()", () => {
  it("restarts a container that exits by itself immediately, then after 10, 20, 40 … 300 s", () => {
    expect(delaysOf(Array(9).fill(5 * S), false).delaysS).toEqual([0, 10, 20, 40, 80, 160, 300, 300, 300]);
  });

  it("lets probe kills restart immediately while runs outlast the delay, then alternates at the maximum", () => {
    const { waitsS } = delaysOf(Array(12).fill(42 * S), true);
    expect(waitsS).toEqual([0, 0, 0, 0, 0, 80, 160, 300, 0, 300, 0, 300]);
  });

  it("makes no entry at the restart after a first kill, because there is no earlier exit", () => {
    const wait = waitAfter(undefined, null, { finishedAtMs: 40 * S, killedBySync: true }, POLICY);
    expect(entryAfterStart(undefined, wait, 40 * S, POLICY)).toBeUndefined();
  });

  it.each([
    {
      ranMs: 600 * S,
      delayMs: 80 * S,
      why: "after exactly 10 minutes the delay still counts, although the kubelet's housekeeping drops the entry before the start",
    },
    { ranMs: 600 * S + 1, delayMs: 0, why: "after more than 10 minutes, the delays start over" },
  ])("after a run of $ranMs ms: $why", ({ ranMs, delayMs }) => {
    const entry = { delayMs: 80 * S, lastUpdateMs: 0 };
    const wait = waitAfter(entry, null, { finishedAtMs: ranMs, killedBySync: false }, POLICY);
    expect(wait.delayMs).toBe(delayMs);
    expect(entryAfterStart(entry, wait, ranMs + 1, POLICY)?.delayMs).toBe(10 * S);
  });

  it("has no delay, and keeps the entry, if the kubelet's garbage collection has removed the previous exit", () => {
    const entry = { delayMs: 80 * S, lastUpdateMs: 0 };
    const wait = waitAfter(entry, null, { finishedAtMs: 40 * S, killedBySync: true }, POLICY);
    expect(wait.delayMs).toBe(0);
    expect(entryAfterStart(entry, wait, 40 * S, POLICY)).toEqual(entry);
  });

  it("ends a wait when housekeeping drops the entry: at the maximum, a run of 330 s waits 270 s", () => {
    const entry = { delayMs: 300 * S, lastUpdateMs: 0 };
    const wait = waitAfter(entry, null, { finishedAtMs: 330 * S, killedBySync: false }, POLICY);
    expect(wait).toMatchObject({ delayMs: 300 * S, readyAtMs: 600 * S, plannedAtMs: 630 * S, isDropped: true });
    expect(entryAfterStart(entry, wait, 605 * S, POLICY)).toEqual({ delayMs: 10 * S, lastUpdateMs: 605 * S });
  });

  it("goes on doubling if the start comes just before the entry is dropped, and starts over just after that", () => {
    const entry = { delayMs: 80 * S, lastUpdateMs: 0 };
    const wait = waitAfter(entry, null, { finishedAtMs: 510 * S, killedBySync: false }, POLICY);
    expect(entryAfterStart(entry, wait, 599 * S, POLICY)?.delayMs).toBe(160 * S);
    expect(entryAfterStart(entry, wait, 601 * S, POLICY)?.delayMs).toBe(10 * S);
  });
});
