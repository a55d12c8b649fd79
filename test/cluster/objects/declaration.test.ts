import { describe, expect, it } from "vitest";
import { type Field, reading } from "../../../src/cluster/objects/declaration.ts";
import { EVENT } from "../../../src/cluster/objects/event.ts";
import { KUBELET_CONFIG, NODE } from "../../../src/cluster/objects/node.ts";
import { POD } from "../../../src/cluster/objects/pod.ts";
import { WORKLOAD } from "../../../src/cluster/objects/workload.ts";

const status = (fields: object): object => ({ status: { containerStatuses: [{ name: "app", ...fields }] } });
const ended = (terminated: object): object => status({ lastState: { terminated } });
const FIRST = "status.containerStatuses[0]";
const BACKWARDS = { startedAt: "2026-11-21T12:00:02Z", finishedAt: "2026-11-21T12:00:00Z" };
const UNKNOWN = { startedAt: "1970-01-01T00:00:00Z", finishedAt: "0001-01-01T00:00:00Z" };

const unusableIn = (raw: unknown, shape: Field<unknown>): readonly string[] => reading(shape, raw).unusable;

describe("reading()", () => {
  it.each<[raw: unknown, names: string, why: string]>([
    [status({ restartCount: "3" }), `${FIRST}.restartCount`, "a text"],
    [status({ restartCount: 2 ** 31 }), `${FIRST}.restartCount`, "too large"],
    [ended({ finishedAt: "soon" }), `${FIRST}.lastState.terminated.finishedAt`, "no date"],
    [
      ended({ finishedAt: "9999-12-31T23:59:59Z" }),
      `${FIRST}.lastState.terminated.finishedAt`,
      "a year that no cluster has",
    ],
    [ended({ finishedAt: "" }), `${FIRST}.lastState.terminated.finishedAt`, "an empty date"],
    [ended(BACKWARDS), `${FIRST}.lastState.terminated.startedAt`, "an end before the beginning"],
    [{ status: { containerStatuses: {} } }, "status.containerStatuses", "no list"],
    [{ status: { containerStatuses: [null, 5] } }, `${FIRST} status.containerStatuses[1]`, "no objects"],
    [{ status: { containerStatuses: [{}] } }, `${FIRST}.name`, "a status without a name"],
    [{ spec: { restartPolicy: "Sometimes" } }, "spec.restartPolicy", "an unknown word"],
    [{ metadata: [], status: "up" }, "metadata status", "no objects"],
  ])("names the unusable fields of the pod %j: %s, %s", (raw, names) => {
    expect(unusableIn(raw, POD)).toEqual(names.split(" "));
  });

  const maxUnavailable = { spec: { updateStrategy: { rollingUpdate: { maxUnavailable: {} } } } };
  it.each<[shape: Field<unknown>, raw: unknown, ...names: string[]]>([
    [POD, 5, "all of it"],
    [EVENT, { count: -1, eventTime: 0, type: "Odd" }, "type", "count", "eventTime"],
    [NODE, { status: { nodeInfo: { kubeletVersion: 1.37 } } }, "status.nodeInfo.kubeletVersion"],
    [KUBELET_CONFIG, { syncFrequency: "1 min", featureGates: { A: "on" } }, "featureGates.A", "syncFrequency"],
    [WORKLOAD, maxUnavailable, "spec.updateStrategy.rollingUpdate.maxUnavailable"],
  ])("names the unusable fields of each kind of object (%#)", (shape, raw, ...names) => {
    expect(unusableIn(raw, shape)).toEqual(names);
  });

  it.each<{ raw: unknown; why: string }>([
    { raw: undefined, why: "nothing" },
    { raw: {}, why: "no fields" },
    { raw: { metadata: null, spec: { nodeName: "" }, status: { phase: null } }, why: "null and empty texts" },
    { raw: ended(UNKNOWN), why: "the times that runtimes write for unknown" },
    { raw: { newer: 5, spec: { tolerations: "x" } }, why: "fields that are not read" },
    { raw: Object.create({ status: 5 }), why: "inherited properties" },
  ])("names no unusable field: $why", ({ raw }) => {
    expect(unusableIn(raw, POD)).toEqual([]);
  });
});
