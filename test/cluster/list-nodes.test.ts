import { describe, expect, it } from "vitest";
import { rawNode } from "../../lab/api-server/node-columns.ts";
import type { Simulator } from "../../lab/api-server/simulator.ts";
import { connect } from "../../src/cluster/api/connect.ts";
import { paced } from "../../src/cluster/api/list-pace.ts";
import { listNodes, type NodeList } from "../../src/cluster/list/list-nodes.ts";
import { writeKubeconfig } from "../support/kubeconfig.ts";
import { simulatorFor } from "../support/listing.ts";

function nodesOf(simulator: Simulator): Promise<NodeList> {
  return listNodes(paced(connect({ kubeconfig: writeKubeconfig(simulator.cluster), env: {} })).ask);
}

const aNode = (name: string, conditions?: object[]): object => {
  const node = rawNode(name, "v1.34.4", "2026-11-21T08:00:00Z");
  return conditions === undefined ? node : { ...node, status: { ...(node["status"] as object), conditions } };
};

describe("listNodes()", () => {
  it("knows all nodes of all pages, by their names", async () => {
    const simulator = await simulatorFor({ crowd: { pods: 0, nodes: 1_200 } });
    const { nodes, why } = await nodesOf(simulator);
    expect([nodes.size, why, simulator.requests.length]).toEqual([1_200, null, 3]);
    expect(nodes.get("node-0777")?.kubeletVersion).toBe("v1.37.1");
  });

  it.each([true, false])("tells which are ready, of a server with tables or without: %s", async (hasTables) => {
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

  it("keeps what it has when the rest cannot be had", async () => {
    const simulator = await simulatorFor({ crowd: { pods: 0, nodes: 600 } });
    simulator.fail({ path: "continue=", fault: { status: 403 } });
    expect(await nodesOf(simulator)).toMatchObject({ nodes: { size: 500 }, why: "forbidden" });
  });
});
