import { describe, expect, it } from "vitest";
import { toNodeSnapshot } from "../../../src/cluster/objects/node.ts";

describe("toNodeSnapshot()", () => {
  it("takes over name, kubelet version and conditions", () => {
    const raw = {
      metadata: { name: "node-a", uid: "n-1" },
      status: {
        nodeInfo: { kubeletVersion: "v1.37.1" },
        conditions: [
          {
            type: "Ready",
            status: "Unknown",
            reason: "NodeStatusUnknown",
            message: "Kubelet stopped posting node status.",
          },
        ],
      },
    };
    expect(toNodeSnapshot(raw)).toEqual({
      name: "node-a",
      uid: "n-1",
      kubeletVersion: "v1.37.1",
      conditions: [
        {
          type: "Ready",
          status: "Unknown",
          reason: "NodeStatusUnknown",
          message: "Kubelet stopped posting node status.",
          lastTransitionAtMs: null,
        },
      ],
    });
  });

  it("knows nothing of a node without a status", () => {
    expect(toNodeSnapshot({ metadata: { name: "node-a" } })).toEqual({
      name: "node-a",
      uid: null,
      kubeletVersion: null,
      conditions: [],
    });
  });
});
