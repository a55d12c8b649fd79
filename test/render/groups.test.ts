import { describe, expect, it } from "vitest";
import type { ContainerExplanation, Explanation, Verdict } from "../../src/explain/answer/explanation.ts";
import { inGroups } from "../../src/explain/groups.ts";
import { explanationToJson } from "../../src/render/json/json.ts";
import { leftOutSentence } from "../../src/render/pod/groups.ts";
import { between, container, DOWN, explanation, pod } from "../support/explanations.ts";
import { inferredOwner, stuckRollout } from "../support/group-situations.ts";
import { RENDERERS } from "../support/renderers.ts";
import { schemaErrors, undocumentedFields } from "../support/schema.ts";

function table(situation: Explanation, columns: number): string {
  return RENDERERS.table(situation, { columns, color: false, timeZone: "Europe/Berlin" });
}

describe("the JSON form of groups", () => {
  const json = explanationToJson(stuckRollout());

  it.each([stuckRollout(), inferredOwner()])("fits the published schema, field by field", (situation) => {
    const printed: unknown = JSON.parse(RENDERERS.json(situation, { columns: 80, color: false }));
    expect(schemaErrors(printed)).toEqual([]);
    expect(undocumentedFields(printed)).toEqual([]);
  });

  it("names the pods of each group, and counts the pods that were left out", () => {
    expect(json.groups.map(({ kind, pods }) => [kind, pods.map(({ name }) => name)])).toEqual([
      ["alike", ["cart-6649d49b6c-b7wzd", "cart-6649d49b6c-x2x7p", "cart-6649d49b6c-t9r4m"]],
      ["fine", ["cart-7c9f5d5b8-kq6zl", "cart-7c9f5d5b8-p8d2x"]],
    ]);
    expect(json.selection).toEqual({ matched: 84, explained: 5, leftOut: { fine: 70, inTrouble: 9 } });
    expect(json.pods[0]?.owners.map(({ name }) => name)).toEqual(["cart-6649d49b6c", "cart"]);
    expect(json.pods[0]?.ownerEvidence.map(({ rule }) => rule)).toEqual(["rollout-stuck", "crashes-since-revision"]);
  });

  it("has no groups and no selection if the explanation has none", () => {
    expect(explanationToJson(explanation("13:00:00", []))).toMatchObject({ groups: [], selection: null });
  });
});

describe("the table of many pods", () => {
  it("names twenty of the healthy pods and counts the others", () => {
    const pods = Array.from({ length: 23 }, (_, index) => pod([container()], { name: `web-${index}` }));
    const all = { matched: 23, leftOutFine: 0, leftOutFailing: 0, named: [] };
    expect(table(inGroups(explanation("13:00:00", pods), all), 2_000)).toMatch(
      /^23 healthy pods: shop\/web-0, .*, shop\/web-19 and 3 more\.\n/,
    );
  });

  it("does not call a pod healthy that has completed", () => {
    const pods = [pod([container()], { name: "web-0" }), pod([container()], { name: "web-1", verdict: "completed" })];
    const all = { matched: 2, leftOutFine: 0, leftOutFailing: 0, named: [] };
    const page = table(inGroups(explanation("13:00:00", pods), all), 200);
    expect(page).toMatch(/^1 healthy pod: shop\/web-0\. 1 completed pod: shop\/web-1\.\n/);
  });
});

describe("the page of several pods", () => {
  const tableOf = (containers: readonly Partial<ContainerExplanation>[], verdict: Verdict) => {
    const pods = containers.map((more, index) => pod([container(more)], { name: `web-${index}`, verdict }));
    const all = { matched: pods.length, leftOutFine: 0, leftOutFailing: 0, named: [] };
    return table(inGroups(explanation("13:40:00", pods), all), 200);
  };
  const waiting = (from: string, to: string, more: Partial<ContainerExplanation> = {}) => {
    return { ...DOWN, isCrashLooping: true, nextRestart: between(from, to), ...more };
  };
  const logs = { instance: "last-exit" as const, lines: ["fatal: no database"], isTruncated: false };

  it.each([
    { more: { isReady: false }, verdict: "running" as const, says: "app is running, but not ready." },
    { more: { state: "failed" as const }, verdict: "failed" as const, says: "web-0 has failed" },
  ])("says what is wrong with the pods: $says", ({ more, verdict, says }) => {
    expect(tableOf([more, more], verdict)).toContain(`shop/cart-6649d49b6c (2 of 2 pods): ${says}`);
  });

  it("names three of the other failed pods, and counts the rest", () => {
    const text = tableOf(Array(7).fill({ state: "failed" }), "failed");
    expect(text).toMatch(/^Also +web-1, web-2, web-3 and 3 more$/m);
  });

  it("says when the first and the last pod restart, and when each of the others does", () => {
    const text = tableOf(
      [waiting("13:40:30", "13:40:40"), waiting("13:40:20", "13:40:35"), waiting("13:41:00", "13:41:10")],
      "crash-looping",
    );
    expect(text).toContain(
      "\nNext restart in 20s-35s (14:40:20-14:40:35 GMT+1, 95% confidence), the last of the 3 by 14:41:10 GMT+1.\n",
    );
    expect(text).toContain("\nAlso       web-0 (in 30s-40s), web-2 (in 1m-1m10s): same exit\n");
  });

  it("says that one pod runs, and that the logs of both end with the same line", () => {
    const running = { ...DOWN, state: "running" as const, isCrashLooping: true, nextRestart: null, logs };
    const text = tableOf([waiting("13:40:30", "13:40:40", { logs }), running], "crash-looping");
    expect(text).toMatch(/\nRestarts in 30s-40s \(.*\)\.\n/);
    expect(text).toContain("\nAlso       web-1 (running): same exit, same log line\n");
  });
});

describe("leftOutSentence()", () => {
  const left = (leftOutFine: number, leftOutFailing: number) =>
    leftOutSentence(explanation("13:00:00", [], { selection: { matched: 9, leftOutFine, leftOutFailing, named: [] } }));

  it.each([
    { fine: 0, trouble: 0, says: "" },
    { fine: 4, trouble: 0, says: "Showing 0 of 9 pods (4 healthy not shown)." },
    { fine: 0, trouble: 2, says: "Showing 0 of 9 pods (2 more failing not shown). Narrow down with -n or -l." },
  ])("says: $says", ({ fine, trouble, says }) => {
    expect(left(fine, trouble)).toBe(says);
  });
});
