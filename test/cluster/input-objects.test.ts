import { describe, expect, it } from "vitest";
import { MINUTE_MS } from "../../src/kubelet/go-duration.ts";
import {
  folderOf,
  NOON_MS,
  observeInput,
  observePaths,
  rawConfigz,
  rawEvent,
  rawNode,
  rawPod,
} from "../support/input.ts";

async function maximaOf(files: Readonly<Record<string, readonly object[]>>) {
  const contents = Object.entries(files).map(([path, objects]) => [path, JSON.stringify(objects)]);
  const { observation } = await observePaths([folderOf(Object.fromEntries(contents))]);
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

const [ONE, OTHER] = [rawConfigz(60), rawConfigz(300)];
const EMPTY = { kind: "KubeletConfiguration", apiVersion: "kubelet.config.k8s.io/v1beta1" };

describe("the kubelet configuration of a pod", () => {
  it.each([
    { all: [podOn("a"), podOn("b"), ONE], found: [60, 60], why: "applies to all pods if there is only one" },
    { all: [podOn(undefined), ONE], found: [60], why: "applies even to a pod without a node" },
    { all: [podOn("a"), ONE, ONE], found: [60], why: "counts once if the input has it twice" },
    {
      all: [podOn("a"), node("a"), ONE, OTHER],
      found: ["ambiguous"],
      why: "is ambiguous if two are in the folder of the node",
    },
    { all: [podOn("a"), node("a")], found: ["not-in-input"], why: "is missing if there is none" },
    { all: [podOn("a"), EMPTY], found: [0], why: "counts even if it has no settings" },
    {
      all: [podOn("a"), podOn("b")],
      files: { "a/n.json": [node("a")], "a/c.json": [ONE], "b/n.json": [node("b")], "b/c.json": [OTHER] },
      found: [60, 300],
      why: "is the one in the folder of the pod's node if there are several",
    },
    {
      all: [podOn("a"), podOn("b")],
      files: { "a/node.json": [node("a"), ONE], "c/configz.json": [OTHER] },
      found: [60, "ambiguous"],
      why: "is ambiguous if there are several and the pod's node is not in the input",
    },
    {
      files: { "a/pod.json": [podOn("a")], "a/one.json": [ONE], "b/two.json": [OTHER] },
      found: ["ambiguous"],
      why: "is not chosen by the folder of the pod",
    },
  ])("$why", async ({ all = [], files = {}, found }) => {
    expect(await maximaOf({ "all.json": all, ...files })).toEqual(found);
  });
});

it("takes the newest version of a node", async () => {
  const versions = [
    rawNode({ metadata: { resourceVersion: "100" }, status: { nodeInfo: { kubeletVersion: "v1.37.1" } } }),
    rawNode({ metadata: { resourceVersion: "99" }, status: { nodeInfo: { kubeletVersion: "v1.36.0" } } }),
  ];
  const folder = folderOf({ "all.json": JSON.stringify([rawPod(), ...versions]) });
  const { observation } = await observePaths([folder]);
  expect(observation.pods[0]?.node?.kubeletVersion).toBe("v1.37.1");
});

const ELEVEN = "2026-11-21T11:00:00Z";
const ELEVEN_MS = NOON_MS - 60 * MINUTE_MS;

async function nowOf(objects: readonly object[], overrides: { localNowMs?: number; atMs?: number } = {}) {
  const { atMs, atBasis } = (await observeInput(objects, overrides)).observation;
  return { atMs, atBasis };
}

function containerIn(state: object): object {
  return rawPod({ status: { containerStatuses: [{ name: "app", state }] } });
}

describe("now", () => {
  it.each([
    { localNowMs: ELEVEN_MS + 15 * MINUTE_MS, basis: "local-clock", why: "15 minutes later than the newest timestamp" },
    {
      localNowMs: ELEVEN_MS + 15 * MINUTE_MS + 1,
      basis: "newest-input",
      why: "15 minutes and 1 ms later than the newest timestamp",
    },
    { localNowMs: ELEVEN_MS - 1, basis: "local-clock", why: "earlier than the newest timestamp" },
  ])("is $basis if the local clock is $why", async ({ localNowMs, basis }) => {
    const objects = [rawPod({ metadata: { creationTimestamp: ELEVEN } })];
    const atMs = basis === "local-clock" ? localNowMs : ELEVEN_MS;
    expect(await nowOf(objects, { localNowMs })).toEqual({ atMs, atBasis: basis });
  });

  it("is --at if given, in the past or in the future", async () => {
    const objects = [rawPod({ metadata: { creationTimestamp: ELEVEN } })];
    for (const atMs of [0, Date.UTC(2040, 0, 1)])
      expect(await nowOf(objects, { atMs })).toEqual({ atMs, atBasis: "flag" });
  });

  it("is the local clock for input without any timestamp", async () => {
    expect(await nowOf([rawPod()])).toEqual({ atMs: NOON_MS, atBasis: "local-clock" });
  });

  it.each([
    { object: rawPod({ metadata: { creationTimestamp: ELEVEN } }), why: "creation" },
    { object: rawPod({ metadata: { managedFields: [{ manager: "kubelet", time: ELEVEN }] } }), why: "managedFields" },
    { object: rawPod({ status: { startTime: ELEVEN } }), why: "start of the pod" },
    { object: rawPod({ status: { conditions: [{ type: "Ready", lastTransitionTime: ELEVEN }] } }), why: "condition" },
    { object: containerIn({ running: { startedAt: ELEVEN } }), why: "start of a container" },
    { object: containerIn({ terminated: { finishedAt: ELEVEN } }), why: "end of a container" },
    { object: rawEvent({ lastTimestamp: ELEVEN }), why: "event" },
    { object: rawEvent({ series: { count: 2, lastObservedTime: ELEVEN } }), why: "series of events" },
    { object: rawNode({ status: { conditions: [{ type: "Ready", lastHeartbeatTime: ELEVEN }] } }), why: "heartbeat" },
    { object: { at: ELEVEN, kind: "Pod", type: "ADDED", object: rawPod() }, why: "arrival of a recorded line" },
  ])("is the newest timestamp of any kind: $why", async ({ object }) => {
    const older = rawPod({ metadata: { name: "older", creationTimestamp: "2026-11-21T10:00:00Z" } });
    expect(await nowOf([object, older])).toEqual({ atMs: ELEVEN_MS, atBasis: "newest-input" });
  });

  it("is not the end of a deleted pod's grace period", async () => {
    const metadata = { creationTimestamp: ELEVEN, deletionTimestamp: "2026-11-21T11:30:00Z" };
    expect(await nowOf([rawPod({ metadata })])).toEqual({ atMs: ELEVEN_MS, atBasis: "newest-input" });
  });

  it("is the request of a deletion, the grace period before its end", async () => {
    const deletionTimestamp = "2026-11-21T11:30:00Z";
    const metadata = { creationTimestamp: ELEVEN, deletionTimestamp, deletionGracePeriodSeconds: 60 };
    const atMs = ELEVEN_MS + 29 * MINUTE_MS;
    expect(await nowOf([rawPod({ metadata })])).toEqual({ atMs, atBasis: "newest-input" });
  });
});
