import { describe, expect, it } from "vitest";
import { parseSelector, selectorOfWorkload } from "../../src/cluster/api/target-selector.ts";

const LABELS = { app: "web", tier: "front", "example.com/size": "7" };

describe("parseSelector()", () => {
  it.each([
    { text: "", matches: true, why: "no condition" },
    { text: "app=web", matches: true, why: "one equals sign" },
    { text: "app==web", matches: true, why: "two" },
    { text: " app = web , tier != back ", matches: true, why: "blanks do not matter" },
    { text: "app=db", matches: false, why: "another value" },
    { text: "zone!=eu", matches: true, why: "a label that is not there is not equal" },
    { text: "app in (web, db),tier notin (back)", matches: true, why: "sets" },
    { text: "app in (db)", matches: false, why: "not in the set" },
    { text: "zone notin (eu)", matches: true, why: "not there is not in" },
    { text: "tier,!zone", matches: true, why: "there and not there" },
    { text: "zone", matches: false, why: "not there" },
    { text: "!app", matches: false, why: "there" },
    { text: "example.com/size>6", matches: true, why: "numbers" },
    { text: "example.com/size<7", matches: false, why: "strictly" },
    { text: "app=", matches: false, why: "the empty value" },
    { text: "constructor", matches: false, why: "only labels count" },
  ])("makes of '$text' that it matches: $matches ($why)", ({ text, matches }) => {
    expect(parseSelector(text).matches(LABELS)).toBe(matches);
  });

  it.each(["a==b=c", "app=web,", "=web", "app in web", "app in (a,b", "app web", "-app", "a=b c", "size>x"])(
    "refuses '%s'",
    (text) => {
      expect(() => parseSelector(text)).toThrow(expect.objectContaining({ code: "badFlag", exitCode: 2 }));
    },
  );
});

describe("selectorOfWorkload()", () => {
  const selector = {
    matchLabels: { app: "web" },
    matchExpressions: [
      { key: "tier", operator: "In", values: ["front", "edge"] },
      { key: "old", operator: "DoesNotExist" },
      { key: "app", operator: "Exists" },
      { key: "zone", operator: "NotIn", values: ["eu"] },
    ],
  };

  it("writes labels and expressions as the API server takes them", () => {
    const { text, matches } = selectorOfWorkload({ spec: { selector } }) ?? parseSelector("");
    expect(text).toBe("app=web,tier in (front,edge),!old,app,zone notin (eu)");
    expect(matches(LABELS)).toBe(true);
    expect(parseSelector(text).text).toBe(text);
  });

  it.each([{}, { spec: {} }, { spec: { selector: {} } }, null])(
    "is none in %j, for it would choose everything",
    (raw) => {
      expect(selectorOfWorkload(raw)).toBeNull();
    },
  );
});
