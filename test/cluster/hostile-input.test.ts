import { describe, expect, it } from "vitest";
import { toEventSnapshot } from "../../src/cluster/event-snapshot.ts";
import { toKubeletConfig } from "../../src/cluster/kubelet-config.ts";
import { toNodeSnapshot } from "../../src/cluster/node-snapshot.ts";
import { toPodSnapshot } from "../../src/cluster/pod-snapshot.ts";
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
    const inherited = Object.create({
      metadata: { name: "inherited" },
      kubeletconfig: {},
      status: { phase: "Running" },
    });
    expect(convert(inherited)).toEqual(convert({}));
  });
});

it("a feature gate called __proto__ is a feature gate", () => {
  const config = toKubeletConfig(
    JSON.parse('{"kubeletconfig":{"featureGates":{"__proto__":true,"constructor":false}}}'),
  );
  expect(Object.entries(config?.featureGates ?? {})).toEqual([
    ["__proto__", true],
    ["constructor", false],
  ]);
});
