import { describe, expect, it } from "vitest";
import { loadRecordingFolder } from "../../../scripts/recordings.ts";
import { type Field, reading } from "../../../src/cluster/objects/declaration.ts";
import { EVENT } from "../../../src/cluster/objects/event.ts";
import { KUBELET_CONFIG, NODE } from "../../../src/cluster/objects/node.ts";
import { POD } from "../../../src/cluster/objects/pod.ts";
import { at } from "../../../src/cluster/objects/untrusted.ts";
import { WORKLOAD } from "../../../src/cluster/objects/workload.ts";
import { RECORDINGS } from "../../support/recording.ts";

const status = (fields: object): object => ({ status: { containerStatuses: [{ name: "app", ...fields }] } });
const ended = (terminated: object): object => status({ lastState: { terminated } });
const LAST = "status.containerStatuses[0].lastState.terminated";

const unusableIn = (raw: unknown, shape: Field<unknown>): readonly string[] => reading(shape, raw).unusable;

describe("reading()", () => {
  it.each<{ shape: Field<unknown>; raw: unknown; names: readonly string[]; why: string }>([
    {
      shape: POD,
      raw: status({ restartCount: "3" }),
      names: ["status.containerStatuses[0].restartCount"],
      why: "a text",
    },
    {
      shape: POD,
      raw: status({ restartCount: 2 ** 31 }),
      names: ["status.containerStatuses[0].restartCount"],
      why: "too large",
    },
    { shape: POD, raw: ended({ finishedAt: "soon" }), names: [`${LAST}.finishedAt`], why: "no date" },
    {
      shape: POD,
      raw: ended({ finishedAt: "9999-12-31T23:59:59Z" }),
      names: [`${LAST}.finishedAt`],
      why: "nobody's time",
    },
    { shape: POD, raw: ended({ finishedAt: "" }), names: [`${LAST}.finishedAt`], why: "an empty date" },
    {
      shape: POD,
      raw: ended({ startedAt: "2026-11-21T12:00:02Z", finishedAt: "2026-11-21T12:00:00Z" }),
      names: [`${LAST}.startedAt`],
      why: "an end before the beginning",
    },
    { shape: POD, raw: { status: { containerStatuses: {} } }, names: ["status.containerStatuses"], why: "no list" },
    {
      shape: POD,
      raw: { status: { containerStatuses: [null, 5] } },
      names: ["status.containerStatuses[0]", "status.containerStatuses[1]"],
      why: "no objects",
    },
    {
      shape: POD,
      raw: { status: { containerStatuses: [{}] } },
      names: ["status.containerStatuses[0].name"],
      why: "whose it is",
    },
    {
      shape: POD,
      raw: { spec: { restartPolicy: "Sometimes" } },
      names: ["spec.restartPolicy"],
      why: "an unknown word",
    },
    { shape: POD, raw: { metadata: [], status: "up" }, names: ["metadata", "status"], why: "no objects" },
    { shape: POD, raw: 5, names: ["all of it"], why: "no Pod" },
    {
      shape: EVENT,
      raw: { count: -1, eventTime: 0, type: "Odd" },
      names: ["type", "count", "eventTime"],
      why: "an event",
    },
    {
      shape: NODE,
      raw: { status: { nodeInfo: { kubeletVersion: 1.37 } } },
      names: ["status.nodeInfo.kubeletVersion"],
      why: "a number",
    },
    {
      shape: KUBELET_CONFIG,
      raw: { syncFrequency: "1 min", featureGates: { A: "on" } },
      names: ["featureGates.A", "syncFrequency"],
      why: "no duration",
    },
    {
      shape: WORKLOAD,
      raw: { spec: { updateStrategy: { rollingUpdate: { maxUnavailable: {} } } } },
      names: ["spec.updateStrategy.rollingUpdate.maxUnavailable"],
      why: "no number and no share",
    },
  ])("names $names: $why", ({ shape, raw, names }) => {
    expect(unusableIn(raw, shape)).toEqual(names);
  });

  it.each<{ raw: unknown; why: string }>([
    { raw: undefined, why: "nothing" },
    { raw: {}, why: "no fields" },
    { raw: { metadata: null, spec: { nodeName: "" }, status: { phase: null } }, why: "null and empty texts" },
    {
      raw: ended({ startedAt: "1970-01-01T00:00:00Z", finishedAt: "0001-01-01T00:00:00Z" }),
      why: "what layers write for not known",
    },
    { raw: { newer: 5, spec: { volumes: "x" } }, why: "fields that are not read" },
    { raw: Object.create({ status: 5 }), why: "what is inherited" },
  ])("names nothing: $why", ({ raw }) => {
    expect(unusableIn(raw, POD)).toEqual([]);
  });

  it("finds nothing to complain of in what real API servers and kubelets sent", () => {
    const recordings = loadRecordingFolder(`${RECORDINGS}/node-a`);
    const found = recordings.flatMap(({ lines, nodeEventLines, nodeRaw, configzRaw }) => [
      ...lines.map(({ kind, object }) => unusableIn(object, kind === "Pod" ? POD : EVENT)),
      ...nodeEventLines.slice(0, 20).map(({ object }) => unusableIn(object, EVENT)),
      unusableIn(nodeRaw, NODE),
      unusableIn(at(configzRaw, "kubeletconfig"), KUBELET_CONFIG),
    ]);
    expect(found.length).toBeGreaterThan(2_000);
    expect(found.flat()).toEqual([]);
  });
});
