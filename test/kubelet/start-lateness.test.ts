import { describe, expect, it } from "vitest";
import { StartDistribution } from "../../src/kubelet/start-distribution.ts";
import { excessOf, latenessOf, paceOf, RUNTIME } from "../../src/kubelet/start-lateness.ts";
import { pullTookMs } from "../../src/kubelet/start-obstacles.ts";

const S = 1_000;

/** How likely a start is to be late by so much or more, after the runtime took so long. */
function lateShare(tookS: readonly number[], lateS: number): number {
  const lateness = latenessOf(
    paceOf(
      RUNTIME,
      tookS.map((seconds) => seconds * S),
    ),
  );
  return (
    1 -
    StartDistribution.of(0, Float64Array.of(1))
      .laterBy(lateness)
      .by(lateS * S)
  );
}

describe("paceOf() and latenessOf()", () => {
  it.each<{ why: string; tookS: number[]; lateS: number; least: number; most: number }>([
    { why: "nothing observed: a node at rest, most likely", tookS: [], lateS: 5, least: 0.01, most: 0.05 },
    { why: "a start within a second: even more so", tookS: [0], lateS: 5, least: 0.005, most: 0.03 },
    { why: "2s are within what a node at rest takes", tookS: [2, 1], lateS: 5, least: 0.005, most: 0.05 },
    { why: "one start of 12s: the next one is late, too", tookS: [12], lateS: 5, least: 0.5, most: 0.9 },
    { why: "and may be later than that", tookS: [12], lateS: 24, least: 0.1, most: 0.4 },
    { why: "two starts of 12s say more than one", tookS: [12, 12], lateS: 24, least: 0.1, most: 0.35 },
    { why: "quick ones beside it speak for chance", tookS: [6, 0, 0, 0, 0], lateS: 5, least: 0, most: 0.1 },
  ])("$why", ({ tookS, lateS, least, most }) => {
    expect(lateShare(tookS, lateS)).toBeGreaterThan(least);
    expect(lateShare(tookS, lateS)).toBeLessThan(most);
  });
});

describe("excessOf()", () => {
  it("is what eight of ten late starts take, and nothing on a node at rest", () => {
    expect(excessOf(paceOf(RUNTIME, [0, 1_000]))).toBeNull();
    const { leastMs = 0, mostMs = 0 } = excessOf(paceOf(RUNTIME, [15_000, 18_000])) ?? {};
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
  ])("%s", (message, tookMs) => expect(pullTookMs(message)).toBe(tookMs));
});
