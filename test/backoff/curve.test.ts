import { describe, expect, it } from "vitest";
import { delayAfter, delayAtStep, delaysOf } from "../../src/backoff/curve.ts";

const KUBELET = { initialMs: 10_000, maxMs: 300_000 };

describe("delaysOf(), delayAtStep() and delayAfter()", () => {
  it.each([
    {
      curve: KUBELET,
      delaysMs: [10_000, 20_000, 40_000, 80_000, 160_000, 300_000],
      why: "end at the maximum if another doubling would exceed it",
    },
    {
      curve: { initialMs: 1_000, maxMs: 4_000 },
      delaysMs: [1_000, 2_000, 4_000],
      why: "end at the maximum if a doubling gives exactly that",
    },
    {
      curve: { initialMs: 5_000, maxMs: 5_000 },
      delaysMs: [5_000],
      why: "have one step if the initial delay is the maximum",
    },
  ])("$why", ({ curve, delaysMs }) => {
    expect(delaysOf(curve)).toEqual(delaysMs);
    expect(delaysMs.map((_, step) => delayAtStep(step, curve))).toEqual(delaysMs);
    expect(delaysMs.map((delayMs) => delayAfter(delayMs, curve))).toEqual([...delaysMs.slice(1), curve.maxMs]);
  });
});

describe("delayAtStep()", () => {
  it.each([6, 100, 1_024, 1e9])("stays at the maximum at step %i", (step) => {
    expect(delayAtStep(step, KUBELET)).toBe(300_000);
  });
});
