import { describe, expect, it } from "vitest";
import { StartDistribution } from "../../src/kubelet/start-distribution.ts";
import { latenessOf, RUNTIME, usualRangeOf } from "../../src/kubelet/start-lateness.ts";
import { pullTookMs } from "../../src/kubelet/start-obstacles.ts";
import { S } from "../support/builders.ts";

function lateShare(tookS: readonly number[], lateS: number): number {
  const lateness = latenessOf(
    RUNTIME,
    tookS.map((seconds) => seconds * S),
  );
  return (
    1 -
    StartDistribution.of(0, Float64Array.of(1))
      .laterBy(lateness)
      .by(lateS * S)
  );
}

describe("latenessOf()", () => {
  it.each<{ why: string; tookS: number[]; lateS: number; least: number; most: number }>([
    {
      why: "nothing observed: most likely a node at rest, where 5s late is rare",
      tookS: [],
      lateS: 5,
      least: 0.01,
      most: 0.05,
    },
    { why: "one start within a second: 5s late is rare", tookS: [0], lateS: 5, least: 0.005, most: 0.03 },
    {
      why: "starts of 1s and 2s, as on a node at rest: 5s late is rare",
      tookS: [2, 1],
      lateS: 5,
      least: 0.005,
      most: 0.05,
    },
    {
      why: "one start of 12s: the next one is most likely 5s late or later",
      tookS: [12],
      lateS: 5,
      least: 0.5,
      most: 0.9,
    },
    { why: "one start of 12s: the next one may be 24s late", tookS: [12], lateS: 24, least: 0.1, most: 0.4 },
    { why: "two starts of 12s: the next one may be 24s late", tookS: [12, 12], lateS: 24, least: 0.1, most: 0.35 },
    {
      why: "one start of 6s before four quick ones: 5s late is rare",
      tookS: [6, 0, 0, 0, 0],
      lateS: 5,
      least: 0,
      most: 0.1,
    },
  ])("$why", ({ tookS, lateS, least, most }) => {
    expect(lateShare(tookS, lateS)).toBeGreaterThan(least);
    expect(lateShare(tookS, lateS)).toBeLessThan(most);
  });
});

describe("usualRangeOf()", () => {
  it("is null on a node at rest, and from less than 5s to more than 25s after two late starts", () => {
    expect(usualRangeOf(latenessOf(RUNTIME, [0, 1_000]))).toBeNull();
    const { leastMs = 0, mostMs = 0 } = usualRangeOf(latenessOf(RUNTIME, [15_000, 18_000])) ?? {};
    expect(leastMs).toBeLessThan(5_000);
    expect(mostMs).toBeGreaterThan(25_000);
  });
});

describe("pullTookMs()", () => {
  it.each<[string, number | null]>([
    ['Successfully pulled image "a:1" in 1.557s (1.836s including waiting). Image size: 53519366 bytes.', 1_836],
    ['Successfully pulled image "a:1" in 22ms (22ms including waiting)', 22],
    ['Successfully pulled image "a:1" in 1m2.5s', 62_500],
    ['(combined from similar events): Successfully pulled image "a:1" in 80ms (90ms including waiting).', 90],
    ['Successfully pulled image "a:1"', null],
    ['Container image "a:1" already present on machine', null],
  ])("returns for %j: %s", (message, tookMs) => expect(pullTookMs(message)).toBe(tookMs));
});
