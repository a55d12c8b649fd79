import { describe, expect, it } from "vitest";
import { editDistance, nearestNames } from "../../src/cluster/api/nearest-names.ts";

describe("nearestNames()", () => {
  it.each([
    { name: "web-0", names: ["web-1", "db-0", "wbe-0"], nearest: ["web-1"], why: "one letter wrong" },
    { name: "payments", names: ["paymnets", "orders"], nearest: ["paymnets"], why: "two letters swapped" },
    {
      name: "api",
      names: ["api-5d8c9f6b7-x2x4q", "apo"],
      nearest: ["api-5d8c9f6b7-x2x4q", "apo"],
      why: "a workload's name first",
    },
    {
      name: "api-5d8c9f6b7-x2x4q",
      names: ["api-7f6bd4c99-zzk9t", "web-7f6bd4c99-zzk9t"],
      nearest: ["api-7f6bd4c99-zzk9t"],
      why: "a replaced pod",
    },
    {
      name: "web",
      names: ["web-4", "web-3", "web-2", "web-1"],
      nearest: ["web-1", "web-2", "web-3"],
      why: "three at most, sorted",
    },
    { name: "web", names: ["a", "postgres", ""], nearest: [], why: "nothing like it" },
    { name: "web", names: [], nearest: [], why: "nothing at all" },
  ])("gives $nearest for $name: $why", ({ name, names, nearest }) => {
    expect(nearestNames(name, names)).toEqual(nearest);
  });
});

describe("editDistance()", () => {
  it.each([
    { from: "", to: "abc", distance: 3 },
    { from: "kitten", to: "sitting", distance: 3 },
    { from: "same", to: "same", distance: 0 },
    { from: "ab", to: "ba", distance: 2 },
  ])("is $distance between $from and $to", ({ from, to, distance }) => {
    expect(editDistance(from, to)).toBe(distance);
    expect(editDistance(to, from)).toBe(distance);
  });
});
