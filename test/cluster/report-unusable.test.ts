import { describe, expect, it } from "vitest";
import { POD } from "../../src/cluster/objects/pod.ts";
import { anonymousPath } from "../../src/cluster/report/anonymous-path.ts";
import { NameBook } from "../../src/cluster/report/name-book.ts";
import { reportOf } from "../../src/cluster/report/report.ts";
import { explain } from "../../src/explain/explain.ts";
import { aPod, observationOf, T0_MS } from "../support/builders.ts";
import { observeInput } from "../support/input.ts";
import { planted } from "../support/report-canaries.ts";
import { observedIn, reported } from "../support/report-cases.ts";

const RUNNING = { running: { startedAt: "2026-11-21T12:00:01Z" } };
const OWNER = { apiVersion: "apps/v1", kind: "ReplicaSet", name: "shop-front-7d4b9c", uid: "u-2", controller: true };

function pod(fields: { metadata?: object; status?: object } = {}): object {
  const metadata = { name: "shop-front-7d4b9c-x2x4x", namespace: "storefront", uid: "u-1", ownerReferences: [OWNER] };
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { ...metadata, creationTimestamp: "2026-11-21T12:00:00Z", ...fields.metadata },
    spec: { nodeName: "worker-in-the-cellar", containers: [{ name: "checkout", image: "shop/checkout:1" }] },
    status: {
      phase: "Running",
      containerStatuses: [{ name: "checkout", restartCount: 0, ready: true, state: RUNNING }],
      ...fields.status,
    },
  };
}

const EVENT = {
  apiVersion: "v1",
  kind: "Event",
  metadata: { name: "shop-front-started", namespace: "storefront" },
  involvedObject: { kind: "Pod", namespace: "storefront", name: "shop-front-7d4b9c-x2x4x", uid: "u-1" },
  reason: "Started",
  message: "Container started",
  lastTimestamp: "a while ago",
};
const NODE = { apiVersion: "v1", kind: "Node", metadata: { name: "worker-in-the-cellar" }, status: { conditions: {} } };
const CONFIG = { kubeletconfig: { syncFrequency: "often", featureGates: { CanaryGateOfOurs: "perhaps" } } };
const REPLICA_SET = {
  apiVersion: "apps/v1",
  kind: "ReplicaSet",
  metadata: { name: OWNER.name, namespace: "storefront", uid: "u-2", generation: "two" },
  spec: { replicas: "many" },
};

const gapOf = ({
  pods,
}: {
  readonly pods: readonly { readonly gaps: readonly { code: string; message: string }[] }[];
}) => pods[0]?.gaps.find(({ code }) => code === "invalid-fields")?.message;

describe("reportOf() of what could not be used", () => {
  it.each([
    ["the pod", [pod({ status: { phase: 5, startTime: "never" } })], /: status\.phase, status\.startTime\.$/],
    ["an event", [pod(), EVENT], /: event event-1 lastTimestamp\.$/],
    ["the node", [pod(), NODE], /: node node-1 status\.conditions\.$/],
    [
      "the kubelet's configuration",
      [pod(), CONFIG],
      /: kubelet configuration featureGates\.key-1, kubelet configuration syncFrequency\.$/,
    ],
    [
      "an owner",
      [pod(), REPLICA_SET],
      /: ReplicaSet replicaset-1 metadata\.generation, ReplicaSet .* spec\.replicas\.$/,
    ],
    ["more than are named", [pod({ status: { conditions: [1, 2, 3, 4, 5, 6, 7] } })], /conditions\[4\], and 2 more\.$/],
    [
      "keys that somebody chose",
      [pod({ metadata: { labels: { "canary.example/customer": 5, "canary.example/a[0].b": 6 } } })],
      /: metadata\.labels\.key-1, metadata\.labels\.key-2\.$/,
    ],
  ])("has the gap that names it: %s", async (_, objects, words) => {
    const { expected, actual, leaks } = await reported(await observedIn(planted(objects), T0_MS + 60_000));
    expect(gapOf(actual)).toMatch(words);
    expect(gapOf(actual)).toBe(gapOf(expected));
    expect(actual).toEqual(expected);
    expect(leaks).toEqual([]);
  });

  it("has no gap and no field for it where all could be used", async () => {
    const observation = await observedIn([pod()], T0_MS + 60_000);
    const [observed] = observation.pods;
    const origin = { program: "1.2.3", model: "v1.29 to v1.37", flags: [] };
    expect(observed && reportOf(observed, observation, origin)).not.toContain("unusable");
    expect(gapOf((await reported(observation)).actual)).toBeUndefined();
  });

  it("names what somebody has broken in the report besides", async () => {
    const observation = observationOf(aPod({ unusable: ["status.phase"] }));
    const [observed] = observation.pods;
    if (observed === undefined) throw new Error("no pod");
    const made = JSON.parse(reportOf(observed, observation, { program: "1.2.3", model: "", flags: [] }));
    made.items[1].status.startTime = "later";
    made.items[0].unusable.push(5);
    const read = await observeInput(JSON.stringify(made));
    expect(gapOf(explain(read.observation, {}))).toContain(": status.phase, status.startTime.");
  });
});

describe("anonymousPath()", () => {
  it.each([
    ["all of it", "all of it"],
    ["status.containerStatuses[12].lastState.terminated.finishedAt", "the same"],
    ["metadata.annotations.kubernetes.io/config.mirror", "the same"],
    ["metadata.labels.secret/key.with[0].dots", "metadata.labels.key-1"],
    ["metadata.secret", "a field"],
    ["status.containerStatuses[secret].name", "a field"],
    ["status.phase.secret", "a field"],
    ["secret", "a field"],
  ])("makes of %s: %s", (path, made) => {
    expect(anonymousPath(path, POD.form, new NameBook())).toBe(made === "the same" ? path : made);
  });
});
