import { describe, expect, it } from "vitest";
import { selectorOfWorkload } from "../../src/cluster/api/target-selector.ts";
import { toEventSnapshot } from "../../src/cluster/objects/event.ts";
import { toKubeletConfig, toNodeSnapshot } from "../../src/cluster/objects/node.ts";
import { toPodSnapshot } from "../../src/cluster/objects/pod.ts";
import { inPath } from "../../src/cluster/objects/workload-kinds.ts";

const CONVERSIONS = { toPodSnapshot, toEventSnapshot, toNodeSnapshot, toKubeletConfig };

it.each(Object.entries(CONVERSIONS))(
  "%s() ignores properties that its input inherits from a prototype",
  (_name, convert) => {
    const inherited = Object.create({ metadata: { name: "x" }, kubeletconfig: {}, status: { phase: "Running" } });
    expect(convert(inherited)).toEqual(convert({}));
  },
);

it("reads a feature gate called __proto__ like any other", () => {
  const raw = JSON.parse('{"kubeletconfig":{"featureGates":{"__proto__":true,"constructor":false}}}');
  expect(JSON.stringify(toKubeletConfig(raw)?.featureGates)).toBe('{"__proto__":true,"constructor":false}');
});

describe("selectorOfWorkload()", () => {
  const nested: unknown = JSON.parse(`${"[".repeat(10_000)}${"]".repeat(10_000)}`);

  it.each([
    { selector: { matchLabels: { app: nested } }, why: "a label that is not text" },
    {
      selector: { matchLabels: { app: "web", tier: 5 } },
      why: "one of two labels is not text, and the other alone would match more pods",
    },
    {
      selector: { matchExpressions: [{ key: "app", operator: "constructor", values: [] }] },
      why: "an unknown operator",
    },
    {
      selector: { matchExpressions: [{ key: "app", operator: "In", values: [nested] }] },
      why: "values that are not text",
    },
    { selector: { matchExpressions: [{ operator: "Exists" }] }, why: "an expression without a key" },
    { selector: nested, why: "an array instead of a selector" },
  ])("returns null for a selector that cannot be used: $why", ({ selector }) => {
    expect(selectorOfWorkload({ spec: { selector } })).toBeNull();
  });
});

it("writes invalid Unicode in the path of a request as U+FFFD", () => {
  expect(inPath("a/\ud800")).toBe("a%2F%EF%BF%BD");
});
