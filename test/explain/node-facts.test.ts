import { describe, expect, it } from "vitest";
import { nodeInWords } from "../../src/explain/answer/node-fact.ts";
import { textInUtc } from "../../src/explain/answer/prose.ts";
import { nodeFacts } from "../../src/explain/history/node-facts.ts";
import type { EventSnapshot, NodeSnapshot } from "../../src/explain/observed/observation.ts";
import { explainWithOwners } from "../../src/explain/owners/owner-explanation.ts";
import { aNode, anEvent, aPod, aStatus, observationOf, terminated } from "../support/builders.ts";
import { at } from "../support/explain-pod.ts";
import { condition } from "../support/owners.ts";

function nodeEvent(reason: string, message: string, seconds: number): EventSnapshot {
  return anEvent({ reason, message, container: null, firstAtMs: at(seconds), lastAtMs: at(seconds) });
}

function sentenceOf(node: Partial<NodeSnapshot> | null, nodeEvents: readonly EventSnapshot[] = []): string {
  const [observed] = observationOf(aPod(), { node: node === null ? null : aNode(node), nodeEvents }).pods;
  return observed === undefined ? "" : textInUtc(nodeInWords("node-a", nodeFacts(observed, at(0))));
}

const pressure = condition("MemoryPressure", "True", { lastTransitionAtMs: at(12) });

describe("nodeFacts()", () => {
  it.each<[string, Partial<NodeSnapshot>, string]>([
    ["a node that is well", {}, ""],
    ["pressure", { conditions: [pressure] }, "node-a has MemoryPressure (since 2026-11-21T12:00:12Z)"],
    [
      "conditions that are False or Unknown",
      { conditions: [condition("DiskPressure", "False"), condition("PIDPressure", "Unknown")] },
      "",
    ],
    [
      "a kubelet that does not respond",
      { conditions: [condition("Ready", "Unknown", { lastTransitionAtMs: at(5) })] },
      "node-a is NotReady (its kubelet does not respond) (since 2026-11-21T12:00:05Z)",
    ],
    [
      "a kubelet that is not ready",
      { conditions: [condition("Ready", "False", { message: "container runtime is down." })] },
      "node-a is NotReady (container runtime is down)",
    ],
    ["a cordon", { isUnschedulable: true }, "node-a is cordoned: new pods avoid it, pods on it still restart"],
    [
      "a cordon whose taint has a time",
      {
        isUnschedulable: true,
        taints: [{ key: "node.kubernetes.io/unschedulable", effect: "NoSchedule", addedAtMs: at(3) }],
      },
      "node-a is cordoned (since 2026-11-21T12:00:03Z): new pods avoid it, pods on it still restart",
    ],
    [
      "a drain (KEP-5683)",
      { conditions: [condition("DrainInProgress", "True")], isUnschedulable: true },
      "node-a is being drained; it is cordoned: new pods avoid it, pods on it still restart",
    ],
    [
      "a taint that evicts pods, and none that other facts cover",
      {
        taints: [
          { key: "node.kubernetes.io/unreachable", effect: "NoExecute", addedAtMs: at(1) },
          { key: "gpu", effect: "NoSchedule", addedAtMs: null },
          { key: "node.kubernetes.io/out-of-service", effect: "NoExecute", addedAtMs: at(2) },
        ],
      },
      "node-a has the taint node.kubernetes.io/out-of-service (NoExecute) (since 2026-11-21T12:00:02Z)",
    ],
  ])("of %s", (_, node, says) => {
    expect(sentenceOf(node)).toBe(says);
  });

  it("say if they came after the failures began", () => {
    const facts = [{ kind: "cordoned", sinceMs: at(30), what: "is cordoned" }] as const;
    const said = (failingSinceMs: number): string => textInUtc(nodeInWords("node-a", facts, failingSinceMs));
    expect(said(at(20))).toBe(
      "node-a is cordoned (since 2026-11-21T12:00:30Z, after the failures began): new pods avoid it, pods on it still restart",
    );
    expect(said(at(30))).toBe(
      "node-a is cordoned (since 2026-11-21T12:00:30Z): new pods avoid it, pods on it still restart",
    );
  });

  it("are the newest restarts of kubelet and node, except old ones", () => {
    const events = [
      nodeEvent("Starting", "Starting kubelet.", -900),
      nodeEvent("Starting", "Starting kubelet.", 20),
      nodeEvent("Starting", "", 30),
      nodeEvent("Rebooted", "Node node-a has been rebooted, boot id: 1", 15),
    ];
    expect(sentenceOf(null, events)).toBe(
      "node-a rebooted at 2026-11-21T12:00:15Z; it restarted its kubelet at 2026-11-21T12:00:20Z",
    );
    expect(sentenceOf(null, events.slice(0, 1))).toBe("");
  });

  it("leave out restarts from before the kubelet took the pod", () => {
    const events = [nodeEvent("Starting", "Starting kubelet.", 20)];
    const [observed] = observationOf(aPod({ startedAtMs: at(40) }), { nodeEvents: events }).pods;
    expect(observed && nodeFacts(observed, at(0))).toEqual([]);
  });
});

describe("changes of the node", () => {
  const last = terminated(at(600), at(605), { exitCode: 1, reason: "Error" });
  const status = aStatus({
    state: last,
    lastState: terminated(at(0), at(590), { containerID: "containerd://first" }),
    restartCount: 1,
  });

  it.each([
    { seconds: 580, isChange: true, why: "it came shortly before the first exit" },
    { seconds: 595, isChange: true, why: "it came just after the first exit, and the kubelet reports conditions late" },
    { seconds: -100, isChange: false, why: "it came long before the first exit" },
    { seconds: 603, isChange: false, why: "it came after the first exit" },
  ])("include pressure $seconds s after the start: $isChange, because $why", ({ seconds, isChange }) => {
    const node = aNode({ conditions: [{ ...pressure, lastTransitionAtMs: at(seconds) }] });
    const observation = observationOf(aPod({ statuses: [status] }), { node, atMs: at(610) });
    const [pod] = explainWithOwners(observation, {}).pods;
    expect(pod?.nodeFacts).toEqual([{ kind: "pressure", sinceMs: at(seconds), what: "has MemoryPressure" }]);
    const change = { kind: "node", name: "node-a", betweenMs: [at(seconds), at(seconds)], basis: "observed" };
    expect(pod?.changes ?? []).toMatchObject(isChange ? [change] : []);
  });

  it("are none for a healthy pod", () => {
    const observation = observationOf(aPod(), { node: aNode({ conditions: [pressure] }), atMs: at(30) });
    expect(explainWithOwners(observation, {}).pods[0]).not.toHaveProperty("nodeFacts");
  });
});
