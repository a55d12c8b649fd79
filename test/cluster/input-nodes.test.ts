import { describe, expect, it } from "vitest";
import { folderOf, observe, rawConfigz, rawNode, rawPod } from "../support/input.ts";

/** Per pod the maximum of the kubelet configuration that was found for it, or why there is none. */
async function maximaOf(files: Readonly<Record<string, readonly object[]>>) {
  const contents = Object.entries(files).map(([path, objects]) => [path, JSON.stringify(objects)]);
  const { observation } = await observe([folderOf(Object.fromEntries(contents))]);
  return observation.pods.map(({ kubeletConfig, missing }) =>
    kubeletConfig === null
      ? missing.find(({ what }) => what === "node-config")?.why
      : (kubeletConfig.maxContainerRestartPeriodMs ?? 0) / 1000,
  );
}

function podOn(node: string | undefined): object {
  return rawPod({ metadata: { name: `on-${node}`, uid: `on-${node}` }, spec: { nodeName: node } });
}

function node(name: string): object {
  return rawNode({ metadata: { name } });
}

describe("the kubelet configuration of a pod", () => {
  it.each([
    {
      files: { "all.json": [podOn("a"), podOn("b"), rawConfigz(60)] },
      found: [60, 60],
      why: "one applies to all pods",
    },
    { files: { "all.json": [podOn(undefined), rawConfigz(60)] }, found: [60], why: "even to one without a node" },
    { files: { "all.json": [podOn("a"), rawConfigz(60), rawConfigz(60)] }, found: [60], why: "two equal ones are one" },
    {
      files: { "all.json": [podOn("a"), node("a"), rawConfigz(60), rawConfigz(300)] },
      found: ["ambiguous"],
      why: "two in the folder of the node",
    },
    {
      files: {
        "pods.json": [podOn("a"), podOn("b")],
        "a/node.json": [node("a")],
        "a/configz.json": [rawConfigz(60)],
        "b/node.json": [node("b")],
        "b/configz.json": [rawConfigz(300)],
      },
      found: [60, 300],
      why: "of several the one beside the node",
    },
    {
      files: {
        "pods.json": [podOn("a"), podOn("b")],
        "a/node.json": [node("a"), rawConfigz(60)],
        "c/configz.json": [rawConfigz(300)],
      },
      found: [60, "ambiguous"],
      why: "of several none, without the node",
    },
    {
      files: { "a/pod.json": [podOn("a")], "a/one.json": [rawConfigz(60)], "b/two.json": [rawConfigz(300)] },
      found: ["ambiguous"],
      why: "the folder of the pod does not count",
    },
    { files: { "all.json": [podOn("a"), node("a")] }, found: ["not-in-input"], why: "there is none" },
    {
      files: {
        "all.json": [podOn("a"), { kind: "KubeletConfiguration", apiVersion: "kubelet.config.k8s.io/v1beta1" }],
      },
      found: [0],
      why: "one that sets nothing is one",
    },
  ])("$why", async ({ files, found }) => {
    expect(await maximaOf(files)).toEqual(found);
  });
});

it("the newest version of a node counts", async () => {
  const versions = [
    rawNode({ metadata: { resourceVersion: "100" }, status: { nodeInfo: { kubeletVersion: "v1.37.1" } } }),
    rawNode({ metadata: { resourceVersion: "99" }, status: { nodeInfo: { kubeletVersion: "v1.36.0" } } }),
  ];
  const folder = folderOf({ "all.json": JSON.stringify([rawPod(), ...versions]) });
  const { observation } = await observe([folder]);
  expect(observation.pods[0]?.node?.kubeletVersion).toBe("v1.37.1");
});
