import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { rawNode } from "../../lab/api-server/node-columns.ts";
import type { Simulator } from "../../lab/api-server/simulator.ts";
import { connect } from "../../src/cluster/api/connect.ts";
import { type NodeList, nodeReader } from "../../src/cluster/list/list-nodes.ts";
import { splitListText } from "../../src/cluster/list/list-pages.ts";
import { readPlan } from "../../src/cluster/list/list-pods.ts";
import { hasYoungRun, mentionsYoungRun } from "../../src/cluster/list/pod-filter.ts";
import { toPodSnapshot } from "../../src/cluster/objects/pod.ts";
import { apiServer, useFakeApiServer } from "../support/api-server.ts";
import { writeKubeconfig } from "../support/kubeconfig.ts";
import { simulatorFor } from "../support/listing.ts";

const every = (step: number, count: number): number[] =>
  Array.from({ length: Math.floor(count / step) }, (_, index) => (index + 1) * step - 1);

const WHOLE = { kind: "window", skip: 0, take: 500 };

describe("readPlan()", () => {
  it.each([
    { why: "no pod of the page may be failing", suspects: [], plan: { kind: "one-by-one", indices: [] } },
    { why: "one pod near the beginning may be failing", suspects: [3], plan: { kind: "window", skip: 0, take: 4 } },
    {
      why: "one pod near the end may be failing, and the others are skipped",
      suspects: [450],
      plan: { kind: "window", skip: 450, take: 1 },
    },
    {
      why: "all replicas of a workload may be failing",
      suspects: [200, 204, 209],
      plan: { kind: "window", skip: 200, take: 10 },
    },
    { why: "pods everywhere may be failing", suspects: every(50, 500), plan: WHOLE },
    { why: "pods at both ends may be failing", suspects: [0, 499], plan: WHOLE },
    {
      why: "pods far apart in a namespace may be failing",
      isOne: true,
      suspects: [0, 250, 499],
      plan: { indices: [0, 250, 499] },
    },
    {
      why: "a workload of a namespace may be failing",
      isOne: true,
      suspects: [200, 204],
      plan: { skip: 200, take: 5 },
    },
    {
      why: "pods of a small namespace may be failing",
      isOne: true,
      count: 50,
      suspects: [4, 19],
      plan: { skip: 0, take: 20 },
    },
    {
      why: "a workload of a small namespace may be failing",
      isOne: true,
      isOnlyPage: true,
      suspects: [300, 304],
      plan: { indices: [300, 304] },
    },
    {
      why: "pods in the middle of a short list may be failing",
      isOnlyPage: true,
      suspects: [150],
      plan: { skip: 0, take: 151 },
    },
    { why: "pods everywhere in a namespace may be failing", isOne: true, suspects: every(25, 500), plan: WHOLE },
  ])(
    "chooses the cheapest way to read a page: $why",
    ({ isOne = false, isOnlyPage = false, count = 500, suspects, plan }) => {
      expect(readPlan(suspects, { count, isOnlyPage }, isOne)).toMatchObject(plan);
    },
  );
});

const LIST = {
  kind: "PodList",
  apiVersion: "v1",
  metadata: { resourceVersion: "7", continue: "abc" },
  items: [
    { metadata: { name: "a", labels: {} }, spec: { containers: [{ args: ["}{", "]", '"', "\\"] }] } },
    { metadata: { name: 'b"}],"items":[{' }, status: null },
    { metadata: { name: "ü\u0000\\\\" } },
  ],
};

describe("splitListText()", () => {
  it.each([
    ["compact", JSON.stringify(LIST)],
    ["indented", JSON.stringify(LIST, null, 2)],
    ["with a line's end", `${JSON.stringify(LIST)}\n`],
    ["sorted by a proxy", JSON.stringify({ items: LIST.items, metadata: LIST.metadata })],
  ])("cuts a list into its objects: %s", (_, text) => {
    const list = splitListText(text);
    expect(list?.metadata).toEqual(LIST.metadata);
    expect([...(list?.items ?? [])].map((item) => JSON.parse(item))).toEqual(LIST.items);
  });

  it("gives no items of an empty list", () => {
    expect([...(splitListText('{"kind":"PodList","metadata":{},"items":[]}')?.items ?? ["x"])]).toEqual([]);
  });

  it.each([
    ["a table", '{"kind":"Table","rows":[]}'],
    ["a refusal", '{"kind":"Status","code":403}'],
    ["items only inside another object", '{"metadata":{"annotations":{"items":[]}}}'],
    ["no JSON", '<html>"items":['],
    ["an empty text", ""],
  ])("gives null for %s", (_, text) => expect(splitListText(text)).toBeNull());

  it("throws if the list is cut off", () => {
    const text = JSON.stringify(LIST);
    for (const length of [text.length - 20, text.length - 2])
      expect(() => [...(splitListText(text.slice(0, length))?.items ?? [])]).toThrow("it ends in the middle of a list");
  });
});

const NOW_MS = Date.UTC(2026, 10, 21, 12, 10);

function podOf(restartCount: number, startedAt: string | null) {
  const state = startedAt === null ? { waiting: { reason: "CrashLoopBackOff" } } : { running: { startedAt } };
  return { status: { containerStatuses: [{ name: "app", ready: true, restartCount, state, lastState: {} }] } };
}

describe("a run in the midst of a crash loop", () => {
  it.each([
    { restartCount: 2, startedAt: "2026-11-21T12:00:01Z", is: true },
    { restartCount: 10, startedAt: "2026-11-21T12:09:59Z", is: true },
    { restartCount: 2, startedAt: "2026-11-21T11:50:00Z", is: false },
    { restartCount: 1, startedAt: "2026-11-21T12:09:00Z", is: false },
    { restartCount: 10, startedAt: null, is: false },
  ])("is recognized ($is) in a pod and in its JSON text alike: restart $restartCount at $startedAt", (row) => {
    const pod = podOf(row.restartCount, row.startedAt);
    expect(hasYoungRun(toPodSnapshot(pod).statuses, NOW_MS)).toBe(row.is);
    expect(mentionsYoungRun(JSON.stringify(pod), NOW_MS)).toBe(row.is);
    expect(mentionsYoungRun(JSON.stringify(pod, null, 4), NOW_MS)).toBe(row.is);
  });
});

function nodesOf(simulator: Simulator): Promise<NodeList> {
  return nodeReader(connect({ kubeconfig: writeKubeconfig(simulator.cluster), env: {} }))(null);
}

const aNode = (name: string, conditions?: object[]): object => {
  const node = rawNode(name, "v1.34.4", "2026-11-21T08:00:00Z");
  return conditions === undefined ? node : { ...node, status: { ...(node["status"] as object), conditions } };
};

describe("nodeReader()", () => {
  it("returns the nodes of all pages by their names", async () => {
    const simulator = await simulatorFor({ crowd: { pods: 0, nodes: 1_200 } });
    const { nodes, why } = await nodesOf(simulator);
    expect([nodes.size, why, simulator.requests.length]).toEqual([1_200, null, 3]);
    expect(nodes.get("node-0777")?.kubeletVersion).toBe("v1.37.1");
  });

  it.each([true, false])("tells which nodes are ready, of a server with tables: %s", async (hasTables) => {
    const objects = [
      aNode("node-a"),
      aNode("node-b", [{ type: "Ready", status: "False" }]),
      aNode("node-c", [{ type: "Ready", status: "Unknown" }]),
      aNode("node-d", []),
    ];
    const { nodes } = await nodesOf(await simulatorFor({ objects, hasTables }));
    const ready = [...nodes.values()].map(({ conditions }) => conditions.map(({ status }) => status === "True"));
    expect(ready).toEqual([[true], [false], [false], []]);
    expect([...nodes.values()].map(({ kubeletVersion }) => kubeletVersion)).toEqual(Array(4).fill("v1.34.4"));
  });

  it("reads a node that was added after the table of all nodes", async () => {
    const simulator = await simulatorFor({ crowd: { pods: 0, nodes: 20 } });
    const read = nodeReader(connect({ kubeconfig: writeKubeconfig(simulator.cluster), env: {} }));
    await read(null);
    simulator.put(aNode("node-new"));
    const { nodes } = await read(["node-0001", "node-new"]);
    expect(nodes.get("node-new")?.kubeletVersion).toBe("v1.34.4");
    expect([nodes.size, simulator.requests.length]).toEqual([21, 2]);
  });

  it("keeps the nodes that it has read if a later page fails", async () => {
    const simulator = await simulatorFor({ crowd: { pods: 0, nodes: 600 } });
    simulator.fail({ path: "continue=", fault: { status: 403 } });
    expect(await nodesOf(simulator)).toMatchObject({ nodes: { size: 500 }, why: "forbidden" });
  });
});

describe("get() of a compressed answer", () => {
  const get = (): Promise<unknown> => connect({ kubeconfig: writeKubeconfig(), env: {} }).get("/api/v1/pods");
  const compressed = gzipSync(JSON.stringify({ items: ["ü".repeat(1000)] }));
  const server = () => apiServer().matchHeader("accept-encoding", "gzip").get("/api/v1/pods");
  useFakeApiServer();

  it("unpacks it", async () => {
    server().reply(200, compressed, { "Content-Encoding": "gzip" });
    await expect(get()).resolves.toMatchObject({ body: { items: ["ü".repeat(1000)] } });
  });

  it("fails if it is cut off", async () => {
    server().reply(200, compressed.subarray(0, 30), { "Content-Encoding": "gzip" });
    await expect(get()).rejects.toMatchObject({ kind: "bad-answer" });
  });
});
