import { describe, expect, it } from "vitest";
import { selectorOfWorkload } from "../../src/cluster/api/target-selector.ts";
import { toEventSnapshot } from "../../src/cluster/objects/event.ts";
import { toKubeletConfig, toNodeSnapshot } from "../../src/cluster/objects/node.ts";
import { toPodSnapshot } from "../../src/cluster/objects/pod.ts";
import { inPath } from "../../src/cluster/objects/workload-kinds.ts";
import { readNodeFiles, readRecording } from "../support/recording.ts";

const CONVERSIONS = { toPodSnapshot, toEventSnapshot, toNodeSnapshot, toKubeletConfig };

const lines = readRecording("node-a/liveness-ignores-term.ndjson.gz");
const pod = lines.findLast(({ kind }) => kind === "Pod")?.object;
const event = lines.findLast(({ kind }) => kind === "Event")?.object;
const { nodeRaw, configzRaw } = readNodeFiles("node-a");

const NONSENSE = [null, 0, -1, 1e9, 1.5, Number.MAX_VALUE, "", "nonsense", true, [], [[]], [null], {}, { name: {} }];

/** Every object that comes of `value` by putting `replacement` in the place of one value in it. */
function* withOneReplaced(value: unknown, replacement: unknown): Generator<unknown> {
  yield replacement;
  if (typeof value !== "object" || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    for (const replaced of withOneReplaced(inner, replacement)) {
      yield Array.isArray(value) ? value.with(Number(key), replaced) : { ...value, [key]: replaced };
    }
  }
}

describe.each(Object.entries(CONVERSIONS))("%s()", (_name, convert) => {
  it.each(NONSENSE)("survives %j in any place", (nonsense) => {
    for (const raw of [pod, event, nodeRaw, configzRaw]) {
      for (const hostile of withOneReplaced(raw, nonsense)) expect(() => convert(hostile)).not.toThrow();
    }
  });

  it("finds nothing that the input does not say in the prototype of its objects", () => {
    const inherited = Object.create({ metadata: { name: "x" }, kubeletconfig: {}, status: { phase: "Running" } });
    expect(convert(inherited)).toEqual(convert({}));
  });
});

it("a feature gate called __proto__ is a feature gate", () => {
  const raw = JSON.parse('{"kubeletconfig":{"featureGates":{"__proto__":true,"constructor":false}}}');
  expect(JSON.stringify(toKubeletConfig(raw)?.featureGates)).toBe('{"__proto__":true,"constructor":false}');
});

describe("selectorOfWorkload()", () => {
  const nested: unknown = JSON.parse(`${"[".repeat(10_000)}${"]".repeat(10_000)}`);

  it.each([
    { selector: { matchLabels: { app: nested } }, why: "a label that is no text" },
    { selector: { matchLabels: { app: "web", tier: 5 } }, why: "half of it would choose more" },
    { selector: { matchExpressions: [{ key: "app", operator: "constructor", values: [] }] }, why: "no operator" },
    { selector: { matchExpressions: [{ key: "app", operator: "In", values: [nested] }] }, why: "no texts" },
    { selector: { matchExpressions: [{ operator: "Exists" }] }, why: "a condition on nothing" },
    { selector: nested, why: "no selector" },
  ])("chooses nothing by a selector that cannot be used: $why", ({ selector }) => {
    expect(selectorOfWorkload({ spec: { selector } })).toBeNull();
  });
});

it("asks for a name that no text of Unicode's can be as for one that there is not", () => {
  expect(inPath("a/\ud800")).toBe("a%2F%EF%BF%BD");
});
