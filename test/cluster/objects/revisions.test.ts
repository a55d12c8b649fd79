import { describe, expect, it } from "vitest";
import { revisionsIn } from "../../../src/cluster/objects/workload.ts";

const RESTARTED = { "kubectl.kubernetes.io/restartedAt": "2026-11-21T12:00:00Z" };

/** The settings of a revision with one container that has these fields. */
function settings(fields: object, { spec = {}, annotations = {} } = {}) {
  const containers = [{ name: "app", image: "web:1", ...fields }];
  const template = { metadata: { annotations }, spec: { ...spec, containers } };
  const annotated = { annotations: { "deployment.kubernetes.io/revision": "1" } };
  const [revision] = revisionsIn("ReplicaSet", [{ metadata: { name: "web-1", ...annotated }, spec: { template } }]);
  return revision?.settings;
}

describe("revisionsIn()", () => {
  it.each([
    { why: "a container's field", one: settings({ command: ["a"] }), other: settings({ command: ["b"] }) },
    { why: "a field that is new", one: settings({ livenessProbe: {} }), other: settings({}) },
    { why: "a field of the pod", one: settings({}, { spec: { volumes: [] } }), other: settings({}) },
    { why: "an annotation", one: settings({}, { annotations: { a: "1" } }), other: settings({}) },
    { why: "kubectl rollout restart", one: settings({}, { annotations: RESTARTED }), other: settings({}) },
  ])("tells templates apart by $why", ({ one, other }) => {
    expect(one).not.toEqual(other);
  });

  it("names each setting, with its container's name", () => {
    const names = [...(settings({ env: [] }, { spec: { volumes: [] } })?.keys() ?? [])];
    expect(names).toEqual(expect.arrayContaining(["env of app", "volumes"]));
  });

  it("takes templates that differ in an image or a name for alike: those are told for themselves", () => {
    expect(settings({ image: "web:2" })).toEqual(settings({}));
  });

  const NESTED: unknown = JSON.parse(`${"[".repeat(10_000)}${"]".repeat(10_000)}`);
  it.each([null, [], "x", { containers: 7 }, { volumes: NESTED }])("reads the unusable template (%#)", (spec) => {
    const raw = { metadata: { name: "web-1" }, revision: 1, data: { spec: { template: { spec } } } };
    expect(revisionsIn("ControllerRevision", [raw])[0]?.images).toEqual([]);
  });
});
