import { describe, expect, it } from "vitest";
import type { ContainerExplanation, Explanation, Verdict } from "../../src/explain/answer/explanation.ts";
import { inGroups } from "../../src/explain/groups.ts";
import { explanationToJson } from "../../src/render/json/json.ts";
import { leftOutSentence } from "../../src/render/pod/groups.ts";
import { RENDERERS } from "../../src/render/renderers.ts";
import { container, explanation, pod } from "../support/explanations.ts";
import { inferredOwner, stuckRollout } from "../support/group-situations.ts";
import { schemaErrors, undocumentedFields } from "../support/schema.ts";

function table(situation: Explanation, columns: number): string {
  return RENDERERS.table(situation, { columns, color: false, unicode: true, timeZone: "Europe/Berlin" });
}

describe("the JSON form of groups", () => {
  const json = explanationToJson(stuckRollout());

  it.each([stuckRollout(), inferredOwner()])("fits the published schema, field by field", (situation) => {
    const printed: unknown = JSON.parse(RENDERERS.json(situation, { columns: 80, color: false }));
    expect(schemaErrors(printed)).toEqual([]);
    expect(undocumentedFields(printed)).toEqual([]);
  });

  it("names the pods of each, and counts what was left out", () => {
    expect(json.groups.map(({ kind, pods }) => [kind, pods.map(({ name }) => name)])).toEqual([
      ["alike", ["cart-6649d49b6c-b7wzd", "cart-6649d49b6c-x2x7p", "cart-6649d49b6c-t9r4m"]],
      ["fine", ["cart-7c9f5d5b8-kq6zl", "cart-7c9f5d5b8-p8d2x"]],
    ]);
    expect(json.selection).toEqual({ matched: 84, explained: 5, leftOut: { fine: 70, inTrouble: 9 } });
    expect(json.pods[0]?.owners.map(({ name }) => name)).toEqual(["cart-6649d49b6c", "cart"]);
    expect(json.pods[0]?.ownerEvidence.map(({ rule }) => rule)).toEqual(["rollout-stuck", "crashes-since-revision"]);
  });

  it("is empty where nothing was chosen", () => {
    expect(explanationToJson(explanation("13:00:00", []))).toMatchObject({ groups: [], selection: null });
  });
});

describe("the table of many pods", () => {
  it("names twenty of those that are fine and counts the others", () => {
    const pods = Array.from({ length: 23 }, (_, index) => pod([container()], { name: `web-${index}` }));
    const all = { matched: 23, leftOutFine: 0, leftOutInTrouble: 0, named: [] };
    expect(table(inGroups(explanation("13:00:00", pods), all), 2_000)).toMatch(
      /^23 healthy pods: shop\/web-0, .*, shop\/web-19 and 3 more\.\n/,
    );
  });
});

describe("the first sentence about a group", () => {
  const sentence = (more: Partial<ContainerExplanation>, verdict: Verdict) => {
    const pods = ["web-0", "web-1"].map((name) => pod([container(more)], { name, verdict }));
    const all = { matched: 2, leftOutFine: 0, leftOutInTrouble: 0, named: [] };
    const text = table(inGroups(explanation("13:00:00", pods), all), 2_000);
    return /^2 of 2 pods of replicaset\/cart-6649d49b6c (.*?)\./m.exec(text)?.[1];
  };

  it.each([
    { more: { isReady: false }, verdict: "running" as const, says: "are running, but not ready" },
    { more: { state: "restarting" as const }, verdict: "pending" as const, says: "are down" },
    { more: { state: "failed" as const }, verdict: "failed" as const, says: "have failed" },
  ])("says that they $says", ({ more, verdict, says }) => {
    expect(sentence(more, verdict)).toBe(says);
  });
});

describe("leftOutSentence()", () => {
  const left = (leftOutFine: number, leftOutInTrouble: number) =>
    leftOutSentence(
      explanation("13:00:00", [], { selection: { matched: 9, leftOutFine, leftOutInTrouble, named: [] } }),
    );

  it.each([
    { fine: 0, trouble: 0, says: null },
    { fine: 4, trouble: 0, says: "Showing 0 of 9 pods (4 healthy not shown)." },
    { fine: 0, trouble: 2, says: "Showing 0 of 9 pods (2 more failing not shown). Narrow down with -n or -l." },
  ])("says: $says", ({ fine, trouble, says }) => {
    expect(left(fine, trouble)).toBe(says);
  });
});
