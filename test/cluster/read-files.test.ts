import { describe, expect, it } from "vitest";
import {
  folderOf,
  ndjson,
  observeInput,
  observePaths,
  onlyPod,
  rawConfigz,
  rawEvent,
  rawNode,
  rawPod,
} from "../support/input.ts";

const NODE_EVENT = rawEvent({
  metadata: { name: "node-a.1", namespace: "default" },
  involvedObject: { kind: "Node", name: "node-a", uid: "node-a" },
  reason: "Starting",
});

describe("observeFiles()", () => {
  it("puts together what belongs to a pod, in whatever order it comes", async () => {
    const objects = [rawConfigz(60), NODE_EVENT, rawEvent(), rawPod(), rawNode()];
    for (const order of [objects, objects.toReversed()]) {
      const observed = await onlyPod(order);
      expect(observed.pod).toMatchObject({ namespace: "shop", name: "web" });
      expect(observed.events.map(({ reason }) => reason)).toEqual(["BackOff"]);
      expect(observed.nodeEvents.map(({ reason }) => reason)).toEqual(["Starting"]);
      expect(observed.node).toMatchObject({ name: "node-a", kubeletVersion: "v1.37.1" });
      expect(observed.kubeletConfig).toMatchObject({ maxContainerRestartPeriodMs: 60_000 });
      expect(observed).toMatchObject({ earlier: [], missing: [], skipped: [] });
    }
  });

  it("says what is not in the input", async () => {
    const missing = ["events", "node", "node-events", "node-config"].map((what) => ({ what, why: "not-in-input" }));
    expect((await onlyPod([rawPod()])).missing).toEqual(missing);
  });

  it.each([
    { others: [rawEvent({ involvedObject: { kind: "Pod", name: "x" } })], missing: [], why: "events of another pod" },
    { others: [NODE_EVENT], missing: [], why: "events of the node" },
    { others: [], missing: ["events"], why: "no event" },
  ])("reports events as missing only if the input has no event at all: $why", async ({ others, missing }) => {
    const observed = await onlyPod([rawPod(), ...others]);
    expect(observed.missing.filter(({ what }) => what === "events").map(({ what }) => what)).toEqual(missing);
    expect(observed.events).toEqual([]);
  });

  it("gives each pod the pods of its node as neighbours", async () => {
    const named = (name: string, nodeName: string) => rawPod({ metadata: { name, uid: name }, spec: { nodeName } });
    const pods = [named("a", "node-a"), named("b", "node-a"), named("c", "node-b")];
    const { observation } = await observeInput(pods);
    const names = observation.pods.map(({ neighbours = [] }) => neighbours.map(({ name }) => name));
    expect(names).toEqual([["a", "b"], ["a", "b"], ["c"]]);
  });

  it("reports nothing of a node as missing for a pod that has none", async () => {
    const observed = await onlyPod([rawPod({ spec: { nodeName: undefined } }), rawEvent()]);
    expect(observed.missing).toEqual([]);
  });

  it("reads the JSON and YAML files of a folder and its subfolders, sorted, except hidden ones", async () => {
    const folder = folderOf({
      "b/two.ndjson": ndjson([rawPod({ metadata: { name: "two" } })]),
      "a.json": JSON.stringify(rawPod({ metadata: { name: "one" } })),
      "c.yml": "apiVersion: v1\nkind: Pod\nmetadata:\n  name: three\n",
      "notes.txt": "no pod",
      ".hidden/d.json": "{",
      ".e.json": "{",
    });
    const { observation, skipped } = await observePaths([folder]);
    expect(observation.pods.map(({ pod }) => pod.name)).toEqual(["one", "two", "three"]);
    expect(skipped).toEqual([]);
  });

  it("reads a file once, however often it is named", async () => {
    const folder = folderOf({ "pod.json": JSON.stringify(rawPod()), "map.json": '{"kind":"ConfigMap"}' });
    const again = `${folder}/../${folder.split("/").at(-1)}/map.json`;
    const { skipped } = await observePaths([folder, `${folder}/map.json`, again]);
    expect(skipped).toHaveLength(1);
  });

  it("says in one sentence per kind what it skipped", async () => {
    const map = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "m" } };
    const strangers = [map, map, map, { kind: "Ingress" }, { any: "thing" }, [7, "text"]];
    const folder = folderOf({ "dump.json": ndjson([rawPod(), ...strangers]), "more.json": ndjson([map]) });
    const { skipped } = await observePaths([`${folder}/dump.json`, `${folder}/more.json`]);
    const why = "only Pod, Event, Node, Service, EndpointSlice, kubelet configuration and workloads matter here.";
    expect(skipped).toEqual([
      `Skipped 4 ConfigMap objects in 2 files: ${why}`,
      `Skipped 1 Ingress object in ${folder}/dump.json: ${why}`,
      `Skipped 1 object without a kind in ${folder}/dump.json: ${why}`,
      `Skipped 2 stray values in ${folder}/dump.json: ${why}`,
    ]);
  });

  it("does not take a Node or an Event of another API for one of Kubernetes", async () => {
    const node = { ...rawNode(), apiVersion: "config.openshift.io/v1" };
    const event = { ...rawEvent(), apiVersion: "eventing.example/v1" };
    const observed = await onlyPod([rawPod(), node, event]);
    expect(observed.node).toBeNull();
    expect(observed.events).toEqual([]);
    expect(observed.skipped).toHaveLength(2);
  });

  it("skips a pod without a name, and does not print a kind with control characters", async () => {
    const { skipped } = await onlyPod([rawPod(), rawPod({ metadata: { name: "" } }), { kind: "\u001b[31mRed" }]);
    expect(skipped.join("\n")).toMatch(/1 Pod object without a name.*\n.*1 object without a kind/);
  });
});
