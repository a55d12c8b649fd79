import { describe, expect, it } from "vitest";
import { splitListText } from "../../src/cluster/list/list-pages.ts";

const LIST = {
  kind: "PodList",
  apiVersion: "v1",
  metadata: { resourceVersion: "7", continue: "abc" },
  items: [
    { metadata: { name: "a", labels: {} }, spec: { containers: [{ args: ["}{", "]", '"', "\\"] }] } },
    { metadata: { name: 'b"}],"items":[{' }, status: null },
    { metadata: { name: "ü\u0000\\\\" } },
  ],
};

describe("splitListText()", () => {
  it.each([
    ["compact", JSON.stringify(LIST)],
    ["indented", JSON.stringify(LIST, null, 2)],
    ["with a line's end", `${JSON.stringify(LIST)}\n`],
  ])("cuts a list into its objects: %s", (_, text) => {
    const list = splitListText(text);
    expect(list?.metadata).toEqual(LIST.metadata);
    expect([...(list?.items ?? [])].map((item) => JSON.parse(item))).toEqual(LIST.items);
  });

  it("gives nothing of an empty list", () => {
    expect([...(splitListText('{"kind":"PodList","metadata":{},"items":[]}')?.items ?? ["x"])]).toEqual([]);
  });

  it.each([
    ["a table", '{"kind":"Table","rows":[]}'],
    ["a refusal", '{"kind":"Status","code":403}'],
    ["items of something inside", '{"metadata":{"annotations":{"items":[]}}}'],
    ["no JSON", '<html>"items":['],
    ["nothing", ""],
  ])("gives null for %s", (_, text) => expect(splitListText(text)).toBeNull());

  it("does not take a list that is cut off for a shorter one", () => {
    const text = JSON.stringify(LIST);
    for (const length of [text.length - 20, text.length - 2])
      expect(() => [...(splitListText(text.slice(0, length))?.items ?? [])]).toThrow("it ends in the middle of a list");
  });
});
