import { describe, expect, it } from "vitest";
import { type Belief, mergedBeliefs } from "../../../src/explain/replay/beliefs.ts";
import { T0_MS } from "../../support/builders.ts";

function belief(
  delayMs: number | null,
  share: number,
  rule: string,
  previousFinishedAtMs: number | null = T0_MS,
): Belief {
  const entry = delayMs === null ? undefined : { delayMs, lastUpdateMs: T0_MS + 1_000 };
  return { entry, previousFinishedAtMs, share, rules: [rule] };
}

/** mergedBeliefs() merges only if there are more than 40 beliefs. */
const OTHERS = Array.from({ length: 40 }, (_, index) => belief(40_000, 0.001, "other", T0_MS + 1 + index));

describe("mergedBeliefs()", () => {
  it("merges beliefs about the same back-off entry, keeps the evidence of the likeliest, and adds up their shares", () => {
    const found = mergedBeliefs([
      belief(10_000, 0.1, "a"),
      belief(20_000, 0.3, "b"),
      belief(10_000, 0.5, "c"),
      ...OTHERS,
    ]);
    expect(found).toEqual([belief(10_000, 0.6, "c"), belief(20_000, 0.3, "b"), ...OTHERS]);
  });

  it.each([
    { why: "one has an entry, and one has none", others: [belief(null, 0.5, "a"), belief(10_000, 0.5, "b")] },
    { why: "their previous exits differ", others: [belief(10_000, 0.5, "a"), belief(10_000, 0.5, "b", T0_MS - 1)] },
    {
      why: "one has a previous exit, and one has none",
      others: [belief(null, 0.5, "a"), belief(null, 0.5, "b", null)],
    },
  ])("keeps different beliefs: $why", ({ others }) => {
    expect(mergedBeliefs([...others, ...OTHERS])).toEqual([...others, ...OTHERS]);
  });
});
