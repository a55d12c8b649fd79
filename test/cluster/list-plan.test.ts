import { describe, expect, it } from "vitest";
import { planOf } from "../../src/cluster/list/list-pods.ts";

const every = (step: number, count: number): number[] =>
  Array.from({ length: Math.floor(count / step) }, (_, index) => (index + 1) * step - 1);

describe("planOf()", () => {
  it.each([
    { why: "a page without suspects", suspects: [], plan: { kind: "nothing" } },
    { why: "one near the beginning", suspects: [3], plan: { kind: "window", skip: 0, take: 4 } },
    { why: "one near the end: the rest is skipped", suspects: [450], plan: { kind: "window", skip: 450, take: 1 } },
    {
      why: "the replicas of a workload",
      suspects: [200, 201, 204, 209],
      plan: { kind: "window", skip: 200, take: 10 },
    },
    { why: "everywhere", suspects: every(50, 500), plan: { kind: "whole" } },
    { why: "at both ends", suspects: [0, 499], plan: { kind: "whole" } },
  ])("reads $plan.kind of a page of the whole cluster for $why", ({ suspects, plan }) => {
    expect(planOf(suspects, 500, false)).toEqual(plan);
  });

  it.each([
    { why: "a few far apart", suspects: [0, 250, 499], plan: { kind: "one-by-one", indices: [0, 250, 499] } },
    { why: "the replicas of a workload", suspects: [200, 201, 204], plan: { kind: "window", skip: 200, take: 5 } },
    { why: "a small namespace", suspects: [4, 19], plan: { kind: "window", skip: 0, take: 20 } },
    { why: "everywhere", suspects: every(25, 500), plan: { kind: "whole" } },
  ])("reads $plan.kind of a page of one namespace for $why", ({ why, suspects, plan }) => {
    const count = why === "a small namespace" ? 50 : 500;
    expect(planOf(suspects, count, true)).toEqual(plan);
  });
});
