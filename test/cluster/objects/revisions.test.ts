import { describe, expect, it } from "vitest";
import { podTemplateIn } from "../../../src/cluster/objects/pod-template.ts";
import { revisionsIn } from "../../../src/cluster/objects/workload.ts";

function settings(fields: object): string[] {
  const { containers } = podTemplateIn({ spec: { containers: [{ name: "app", image: "web:1", ...fields }] } });
  return [...(containers[0]?.settings ?? [])].map(([path, { kind, text }]) => `${path}: ${kind} ${text}`);
}

const REF = { name: "db", key: "password" };
const DEFAULTED = {
  terminationMessagePath: "/dev/termination-log",
  terminationMessagePolicy: "File",
  imagePullPolicy: "IfNotPresent",
  resources: {},
  ports: [],
  securityContext: {},
};

describe("podTemplateIn()", () => {
  it.each([
    { fields: { env: [{ name: "A", value: "1" }] }, are: ["env A: literal 1"] },
    { fields: { env: [{ name: "A" }] }, are: ["env A: literal "] },
    {
      fields: { env: [{ name: "A", valueFrom: { secretKeyRef: REF } }] },
      are: ["env A: reference secret db key password"],
    },
    {
      fields: { envFrom: [{ configMapRef: { name: "c" } }, { secretRef: { name: "s" } }] },
      are: ["envFrom: reference configmap c, secret s"],
    },
    { fields: { command: ["sh", "-c", "a b"] }, are: ["command: literal sh -c a b"] },
    { fields: { resources: { limits: { memory: "64Mi" } } }, are: ["resources.limits.memory: literal 64Mi"] },
    {
      fields: { livenessProbe: { httpGet: { path: "/", port: 80, scheme: "HTTP" }, periodSeconds: 10 } },
      are: ["livenessProbe.httpGet.path: literal /", "livenessProbe.httpGet.port: literal 80"],
    },
    { fields: { volumeMounts: [{ name: "v" }] }, are: ['volumeMounts: opaque [{"name":"v"}]'] },
    { fields: DEFAULTED, are: [] },
    { fields: { imagePullPolicy: "Always" }, are: ['imagePullPolicy: opaque "Always"'] },
  ])("reads the settings $are", ({ fields, are }) => {
    expect(settings(fields)).toEqual(are);
  });

  it("reads two templates as equal if only the order of their fields differs", () => {
    const [one, other] = [
      { a: 1, b: { c: 2, d: 3 } },
      { b: { d: 3, c: 2 }, a: 1 },
    ];
    expect(settings({ lifecycle: one })).toEqual(settings({ lifecycle: other }));
  });

  it.each([
    { containers: [{ name: "app", image: "web:1" }], isComplete: false, why: "a redacted copy" },
    {
      containers: [{ name: "app", image: "web:1", resources: {} }],
      isComplete: true,
      why: "as the API server sends it",
    },
    { containers: [], isComplete: false, why: "no containers" },
  ])("knows whether settings were left out: $why", ({ containers, isComplete }) => {
    expect(podTemplateIn({ spec: { containers } }).isComplete).toBe(isComplete);
  });
});

describe("revisionsIn()", () => {
  const NESTED: unknown = JSON.parse(`${"[".repeat(10_000)}${"]".repeat(10_000)}`);
  it.each([null, [], "x", { containers: 7 }, { volumes: NESTED }])(
    "returns no containers for an unusable template (%#)",
    (spec) => {
      const raw = { metadata: { name: "web-1" }, revision: 1, data: { spec: { template: { spec } } } };
      expect(revisionsIn("ControllerRevision", [raw])[0]?.template.containers).toEqual([]);
    },
  );
});
