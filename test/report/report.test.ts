import { describe, expect, it } from "vitest";
import { recordingOf } from "../../lab/recordings/recordings.ts";
import { leaksIn } from "../../lab/secrets/canary.ts";
import { withSecrets } from "../../lab/secrets/with-secrets.ts";
import type { Missing, OwnerMissing, PodObservation } from "../../src/explain/observed/observation.ts";
import { reportOf } from "../../src/report/report.ts";
import { T0_MS } from "../support/builders.ts";
import { observeInput, rawEvent, rawPod } from "../support/input.ts";
import { aRawNode } from "../support/raw-objects.ts";
import { objectsAt, objectsOfExample, observedIn, reported } from "../support/report-cases.ts";
import { OWNED_CASES } from "../support/report-owners.ts";

const RECORDINGS = [
  ...["agent-lh6n5", "command-not-found", "config-missing", "image-changed", "image-unreachable", "poststart-fails"],
  ...["liveness-quick-exit", "rules-restart-all", "sidecar-crashes", "no-node"],
];

const ORIGIN = { program: "1.2.3", model: "v1.29 to v1.37", flags: [] };
const NAME = "shop-front-7d4b9c-x2x4x";
const OWNER = { apiVersion: "apps/v1", kind: "ReplicaSet", name: "shop-front-7d4b9c", uid: "u-2", controller: true };
const STATE = { running: { startedAt: "2026-11-21T12:00:01Z" } };
const STATUS = { name: "checkout", restartCount: 0, ready: true, state: STATE };

function pod(fields: { metadata?: object; spec?: object; status?: object } = {}): object {
  const metadata = { name: NAME, namespace: "storefront", ownerReferences: [OWNER], ...fields.metadata };
  const spec = { nodeName: "worker-in-the-cellar", containers: [{ name: "checkout", image: "shop/checkout:1" }] };
  return rawPod({
    metadata: { creationTimestamp: "2026-11-21T12:00:00Z", ...metadata },
    spec: { ...spec, ...fields.spec },
    status: { containerStatuses: [STATUS], ...fields.status },
  });
}

function event(fields: object, name = "shop-front-started"): object {
  const involvedObject = { kind: "Pod", namespace: "storefront", name: NAME, uid: "u-1" };
  return rawEvent({ metadata: { name, namespace: "storefront" }, involvedObject, ...fields });
}

async function textOf(...objects: readonly object[]): Promise<string> {
  const observation = await observedIn(objects, T0_MS);
  const [observed] = observation.pods;
  if (observed === undefined) throw new Error("no pod");
  return reportOf(observed, observation, ORIGIN);
}

async function expectSame(objects: readonly object[], atMs: number | null, localNowMs = 0) {
  const outcome = await reported(await observedIn(withSecrets(objects), atMs, localNowMs));
  expect(outcome.actual).toEqual(outcome.expected);
  expect(outcome.leaks).toEqual([]);
  return outcome.actual.pods[0];
}

describe("reportOf()", () => {
  it.each(RECORDINGS)(
    "leads to the same explanation as the recording node-a/%s, and contains none of the secrets planted in it",
    async (name) => {
      const recording = recordingOf(`node-a/${name}`);
      const { length } = recording.lines;
      for (const index of [0.3, 0.9].map((share) => Math.floor(share * length))) {
        const atMs = (recording.lines[index]?.atMs ?? 0) + 1_234;
        const objects = objectsAt(recording, atMs);
        if (objects !== null) await expectSame(objects, atMs);
      }
    },
  );

  const EXAMPLES = ["liveness-probe", "sidecar", "image-pull", "restart-all-containers"];
  it.each(EXAMPLES)("leads to the same explanation as the example %s", async (name) => {
    const objects = objectsOfExample(name);
    expect(leaksIn(JSON.stringify(withSecrets(objects)))).not.toEqual([]);
    await expectSame(objects, null, Date.UTC(2027, 0));
  });

  it.each(Object.entries(OWNED_CASES))(
    "leads to the same evidence about the owners of a pod: %s",
    async (_, { objects, rules }) => {
      const explained = await expectSame(objects, T0_MS + 900_000);
      expect(explained?.ownerEvidence?.map(({ rule }) => rule)).toEqual(rules);
    },
  );

  it("keeps the older versions of a pod, so that its earlier runs stay observed", async () => {
    const version = (restartCount: number): object => {
      const [startedAt, finishedAt] = [`2026-11-21T12:0${restartCount}:00Z`, `2026-11-21T12:0${restartCount}:05Z`];
      const containerID = `containerd://${restartCount}`;
      const state = { terminated: { exitCode: 1, startedAt, finishedAt, containerID } };
      const containerStatuses = [{ name: "checkout", restartCount, containerID, state }];
      return pod({ metadata: { resourceVersion: `${7 + restartCount}` }, status: { containerStatuses } });
    };
    const explained = await expectSame([version(0), version(1), version(2)], T0_MS + 130_000);
    expect(explained?.containers[0]?.history.map(({ basis }) => basis)).toEqual(["observed", "observed", "observed"]);
  });

  it("keeps the gaps about what could not be read", async () => {
    const missing: Missing[] = [
      { what: "events", why: "forbidden" },
      { what: "node-config", why: "timeout" },
    ];
    const ownersMissing: OwnerMissing[] = [{ what: "owner", owner: OWNER, why: "forbidden" }];
    const { pods, ...moment } = await observedIn([pod()], T0_MS);
    const withGaps = ({ owners, ...one }: PodObservation): PodObservation => {
      return { ...one, missing, ...(owners && { owners: { ...owners, missing: ownersMissing } }) };
    };
    const { expected, actual } = await reported({ ...moment, pods: pods.map(withGaps) });
    expect(actual).toEqual(expected);
    const codes = actual.pods[0]?.gaps.map(({ code }) => code);
    expect(codes).toEqual(["events-forbidden", "node-config-timeout", "owner-forbidden"]);
  });

  it("keeps names and messages, and leaves out commands, environment, volumes, annotations and labels", async () => {
    const container = {
      ...{ name: "checkout", image: "shop/checkout:1", command: ["sekret"], args: ["sekret"] },
      env: [{ name: "SEKRET", value: "sekret" }],
      livenessProbe: { exec: { command: ["sekret"] }, periodSeconds: 7 },
      readinessProbe: { httpGet: { path: "/sekret", port: 80 } },
    };
    const text = await textOf(
      pod({
        metadata: { labels: { sekret: "sekret" }, annotations: { sekret: "sekret" } },
        spec: { containers: [container], volumes: [{ name: "sekret" }] },
      }),
      event({ reason: "Unhealthy", message: "Liveness probe failed: connection refused" }),
      { kubeletconfig: { clusterDomain: "sekret" } },
    );
    expect(text.toLowerCase()).not.toContain("sekret");
    for (const kept of [NAME, "storefront", "shop/checkout:1", "connection refused", '"periodSeconds": 7'])
      expect(text).toContain(kept);
  });
});

describe("reportOf() of objects with invalid fields", () => {
  const metadata = { name: OWNER.name, namespace: "storefront", uid: "u-2", generation: "two" };
  const replicaSet = { apiVersion: "apps/v1", kind: "ReplicaSet", metadata, spec: { replicas: "many" } };
  const node = { ...aRawNode(), metadata: { name: "worker-in-the-cellar" }, status: { conditions: {} } };
  const config = { kubeletconfig: { syncFrequency: "often", featureGates: { GateOfOurs: "perhaps" } } };
  const labels = { "example.com/customer": 5, "example.com/a[0].b": 6 };

  it.each<[string, readonly object[], RegExp]>([
    ["the pod", [pod({ status: { phase: 5, startTime: "never" } })], /: status\.phase, status\.startTime\.$/],
    ["an event", [pod(), event({ lastTimestamp: "a while ago" })], /: event shop-front-started lastTimestamp\.$/],
    ["the node", [pod(), node], /: node worker-in-the-cellar status\.conditions\.$/],
    [
      "the kubelet's configuration",
      [pod(), config],
      /: kubelet configuration featureGates\.GateOfOurs, .* syncFrequency\.$/,
    ],
    ["an owner", [pod(), replicaSet], /: ReplicaSet shop-front-7d4b9c metadata\.generation, .* spec\.replicas\.$/],
    ["more fields than the gap names", [pod({ status: { conditions: [1, null, {}, 4, 5, 6, 7] } })], / and 2 more\.$/],
    [
      "labels whose keys are not Kubernetes' own",
      [pod({ metadata: { labels } })],
      /: metadata\.labels\.example\.com\/customer, metadata\.labels\.example\.com\/a\[0\]\.b\.$/,
    ],
  ])("keeps the gap that names the invalid fields: %s", async (_, objects, words) => {
    const explained = await expectSame(objects, T0_MS + 60_000);
    expect(explained?.gaps.find(({ code }) => code === "invalid-fields")?.message).toMatch(words);
  });
});

describe("observeFiles() of a report", () => {
  it("takes the moment of the report for now, unless the caller gives another", async () => {
    const text = await textOf(pod());
    const { observation } = await observeInput(text, { localNowMs: T0_MS + 999_999_999 });
    expect(observation).toMatchObject({ atMs: T0_MS, atBasis: "recording" });
    const asked = await observeInput(text, { atMs: T0_MS + 5_000 });
    expect(asked.observation).toMatchObject({ atMs: T0_MS + 5_000, atBasis: "flag" });
  });

  it("names the flags that the report was made with, and no text that is not a flag", async () => {
    const report = JSON.parse(await textOf(pod()));
    report.items[0].flags = ["--kubelet-version=v1.34.4", "no flag", "--reduced-decay"];
    const { skipped } = await observeInput([report]);
    const flags = "--kubelet-version=v1.34.4 --reduced-decay";
    expect(skipped).toEqual([`The report was made with ${flags}: pass that to explain it the same way.`]);
  });

  it("rejects several reports, and ignores a Report of another API group", async () => {
    const report = JSON.parse(await textOf(pod()));
    await expect(observeInput([report, report])).rejects.toMatchObject({ code: "severalReports" });
    const other = { apiVersion: "acme.example/v1", kind: "Report", metadata: { name: "x" } };
    const { observation, skipped } = await observeInput([other, report.items[1]], { localNowMs: T0_MS + 60_000 });
    expect(observation.atBasis).toBe("local-clock");
    expect(skipped.join()).toContain("Report object");
  });
});
