import { describe, expect, it } from "vitest";
import type { BackoffList, ListItem } from "../../src/explain/answer/backoff-list.ts";
import { textInUtc } from "../../src/explain/answer/prose.ts";
import { chanceOfAtLeast, whichNodes } from "../../src/explain/common-node.ts";
import { LISTED_AT_MS, itemOf as of } from "../support/list-items.ts";

describe("whichNodes()", () => {
  const on = (node: string, count: number, from = 0): ListItem[] =>
    Array.from({ length: count }, (_, index) => of(`app-${from + index}`, 300, { node }));
  const podsPerNode = new Map(Array.from({ length: 11 }, (_, index) => [`node-${index}`, 10]));
  const said = (items: readonly ListItem[], nodeFacts: BackoffList["nodeFacts"] = new Map()) =>
    whichNodes({ items, podsPerNode, nodeFacts }).map(({ sentence }) => textInUtc(sentence));

  it("names a node that runs more of the failing pods than chance explains, and what is wrong with it", () => {
    const items = [...on("node-7", 11), ...on("node-1", 1, 20)];
    expect(said(items)).toEqual(["11 of the 12 failing pods run on node-7, which runs 9% of the pods"]);
    const fact = { kind: "pressure", sinceMs: LISTED_AT_MS, what: "has MemoryPressure" } as const;
    expect(said(items, new Map([["node-7", [fact]]]))).toEqual([
      "11 of the 12 failing pods run on node-7, which runs 9% of the pods; it has MemoryPressure (since 2026-11-21T12:10:00Z, after the failures began)",
    ]);
    expect(said(on("node-3", 1), new Map([["node-3", [{ ...fact, sinceMs: null }]]]))).toEqual([
      "node-3, which runs 1 of the 1 failing pods, has MemoryPressure",
    ]);
  });

  it.each<[string, readonly ListItem[]]>([
    ["two pods", on("node-7", 2)],
    ["pods on several nodes", [...on("node-7", 3), ...on("node-6", 3, 10), ...on("node-5", 3, 20)]],
    [
      "the replicas of one workload",
      on("node-7", 11).map((item, index) => ({
        ...item,
        pod: `a-${index}`,
        workload: { kind: "Deployment", name: "a" },
      })),
    ],
  ])("names no node, because chance explains it: %s", (_, items) => expect(said(items)).toEqual([]));

  it("names no node if all pods run on one node, or if the pods of each node are unknown", () => {
    const items = on("node-7", 11);
    expect(whichNodes({ items, podsPerNode: new Map([["node-7", 20]]) })).toEqual([]);
    expect(whichNodes({ items })).toEqual([]);
  });

  it("chanceOfAtLeast() computes the tail of a binomial distribution, for 10,000 pods, too", () => {
    expect(chanceOfAtLeast(1, 2, 0.5)).toBeCloseTo(0.75);
    expect(chanceOfAtLeast(2, 3, 0.5)).toBeCloseTo(0.5);
    expect(chanceOfAtLeast(4_900, 10_000, 0.5)).toBeGreaterThan(0.9);
  });
});
