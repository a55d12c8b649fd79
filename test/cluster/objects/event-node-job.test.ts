import { describe, expect, it } from "vitest";
import { eventSubjectOf, toEventSnapshot } from "../../../src/cluster/objects/event.ts";
import { toKubeletConfig, toNodeSnapshot } from "../../../src/cluster/objects/node.ts";
import { toOwnedPod } from "../../../src/cluster/objects/pod.ts";
import { toWorkloadSnapshot } from "../../../src/cluster/objects/workload.ts";

const CORE = {
  apiVersion: "v1",
  kind: "Event",
  metadata: { name: "web.1", namespace: "shop", creationTimestamp: "2026-11-21T12:00:01Z" },
  involvedObject: { kind: "Pod", namespace: "shop", name: "web", uid: "u-1", fieldPath: "spec.containers{app}" },
  type: "Warning",
  reason: "BackOff",
  message: "Back-off restarting failed container app in pod web",
  count: 12,
  firstTimestamp: "2026-11-21T12:00:00Z",
  lastTimestamp: "2026-11-21T12:05:00Z",
  eventTime: null,
};

const EVENTS_K8S_IO = {
  apiVersion: "events.k8s.io/v1",
  kind: "Event",
  metadata: { name: "web.1", namespace: "shop", creationTimestamp: "2026-11-21T12:00:01Z" },
  regarding: { kind: "Pod", namespace: "shop", name: "web", uid: "u-1", fieldPath: "spec.containers{app}" },
  type: "Warning",
  reason: "BackOff",
  note: "Back-off restarting failed container app in pod web",
  deprecatedCount: 12,
  deprecatedFirstTimestamp: "2026-11-21T12:00:00Z",
  deprecatedLastTimestamp: "2026-11-21T12:05:00Z",
};

const SNAPSHOT = {
  name: "web.1",
  type: "Warning",
  reason: "BackOff",
  message: "Back-off restarting failed container app in pod web",
  container: "app",
  createdAtMs: Date.UTC(2026, 10, 21, 12, 0, 1),
  count: 12,
  firstAtMs: Date.UTC(2026, 10, 21, 12, 0, 0),
  lastAtMs: Date.UTC(2026, 10, 21, 12, 5, 0),
};

describe("toEventSnapshot()", () => {
  it.each([
    { raw: CORE, group: "core/v1" },
    { raw: EVENTS_K8S_IO, group: "events.k8s.io/v1" },
  ])("reads the same event of $group", ({ raw }) => {
    expect(toEventSnapshot(raw)).toEqual(SNAPSHOT);
    expect(eventSubjectOf(raw)).toMatchObject({ kind: "Pod", namespace: "shop", name: "web", uid: "u-1" });
  });

  it.each([
    {
      times: { eventTime: "2026-11-21T12:00:00.123456Z" },
      expected: [Date.UTC(2026, 10, 21, 12, 0, 0, 123), Date.UTC(2026, 10, 21, 12, 0, 0, 123), 1],
      why: "only eventTime, in microseconds",
    },
    {
      times: {
        eventTime: "2026-11-21T12:00:00.5Z",
        series: { count: 4, lastObservedTime: "2026-11-21T12:09:00.999999Z" },
      },
      expected: [Date.UTC(2026, 10, 21, 12, 0, 0, 500), Date.UTC(2026, 10, 21, 12, 9, 0, 999), 4],
      why: "a series",
    },
    { times: {}, expected: [null, null, 1], why: "no time at all" },
    { times: { count: 0 }, expected: [null, null, 1], why: "it happened at least once" },
    { times: { count: -3, firstTimestamp: 12 }, expected: [null, null, 1], why: "nonsense" },
  ])("reads times and count: $why", ({ times, expected }) => {
    const { firstAtMs, lastAtMs, count } = toEventSnapshot(times);
    expect([firstAtMs, lastAtMs, count]).toEqual(expected);
  });

  it.each([
    { fieldPath: "spec.containers{app}", container: "app" },
    { fieldPath: "spec.initContainers{setup}", container: "setup" },
    { fieldPath: "spec.ephemeralContainers{debugger}", container: "debugger" },
    { fieldPath: "spec.volumes{data}", container: null },
    { fieldPath: "spec.containers{}", container: null },
    { fieldPath: "", container: null },
    { fieldPath: undefined, container: null },
    { fieldPath: ["spec.containers{app}"], container: null },
  ])("takes the container from $fieldPath", ({ fieldPath, container }) => {
    expect(toEventSnapshot({ involvedObject: { fieldPath } }).container).toBe(container);
  });

  it("takes an unknown type for Normal", () => {
    expect(toEventSnapshot({ type: "Panic" }).type).toBe("Normal");
  });
});

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

const CONFIG = {
  kind: "KubeletConfiguration",
  apiVersion: "kubelet.config.k8s.io/v1beta1",
  syncFrequency: "1m0s",
  featureGates: { ReduceDefaultCrashLoopBackOffDecay: true, KubeletCrashLoopBackOffMax: false },
  crashLoopBackOff: { maxContainerRestartPeriod: "5m0s" },
};

describe("toKubeletConfig()", () => {
  it.each([
    { raw: { kubeletconfig: CONFIG }, what: "the answer of /configz" },
    { raw: CONFIG, what: "a KubeletConfiguration file" },
    { raw: { kubeletconfig: { ...CONFIG, kind: undefined } }, what: "an answer without a kind, as of older kubelets" },
  ])("reads $what", ({ raw }) => {
    expect(toKubeletConfig(raw)).toEqual({
      maxContainerRestartPeriodMs: 300_000,
      featureGates: { ReduceDefaultCrashLoopBackOffDecay: true, KubeletCrashLoopBackOffMax: false },
      syncFrequencyMs: 60_000,
    });
  });

  it("leaves to the version's default what is not set or is nonsense", () => {
    const none = { maxContainerRestartPeriodMs: null, featureGates: {}, syncFrequencyMs: null };
    expect(toKubeletConfig({ kubeletconfig: {} })).toEqual(none);
    const nonsense = {
      syncFrequency: 60,
      featureGates: { A: "true", B: 1 },
      crashLoopBackOff: { maxContainerRestartPeriod: "-5m" },
    };
    const gates = ["featureGates.A", "featureGates.B"];
    expect(toKubeletConfig({ kubeletconfig: nonsense })).toEqual({
      ...none,
      unusable: ["crashLoopBackOff.maxContainerRestartPeriod", ...gates, "syncFrequency"],
    });
    expect(toKubeletConfig({ kubeletconfig: { syncFrequency: "0s", featureGates: [true] } })).toEqual({
      ...none,
      unusable: ["featureGates"],
    });
  });

  it.each([null, undefined, 7, "kubeletconfig", [], {}, { kubeletconfig: "no" }, { kind: "ConfigMap" }])(
    "is null for %j, which is no configuration",
    (raw) => {
      expect(toKubeletConfig(raw)).toBeNull();
    },
  );
});

function jobOf(spec: object, status: object = {}) {
  return toWorkloadSnapshot("Job", { metadata: { name: "export" }, spec, status });
}

function podOf(annotations: object) {
  return toOwnedPod("Job", "export", { metadata: { name: "export-3-x", annotations }, status: { phase: "Failed" } });
}

describe("an indexed Job with a limit for every index", () => {
  it("has that limit, the number of indexes that may fail, and those that did", () => {
    const spec = { backoffLimitPerIndex: 2, maxFailedIndexes: 5 };
    expect(jobOf(spec, { failedIndexes: "1,3-5" })).toMatchObject({
      backoffLimit: 2 ** 31 - 1,
      perIndex: { limit: 2, maxFailedIndexes: 5, failedIndexes: "1,3-5" },
    });
    expect(jobOf({ backoffLimitPerIndex: 0 }, { failedIndexes: "" })).toMatchObject({
      perIndex: { limit: 0, maxFailedIndexes: null, failedIndexes: null },
    });
    expect(jobOf({})).toMatchObject({ backoffLimit: 6, perIndex: null });
  });

  it.each([
    { count: { "job-index-failure-count": "1" }, ofIndex: { index: 3, failures: 1, ignoredFailures: 0 } },
    {
      count: { "job-index-failure-count": "0", "job-index-ignored-failure-count": "4" },
      ofIndex: { index: 3, failures: 0, ignoredFailures: 4 },
    },
    { count: { "job-index-failure-count": "-1" }, ofIndex: undefined },
    { count: {}, ofIndex: undefined },
  ])("has pods that say how often their index failed before: $count", ({ count, ofIndex }) => {
    const counts = Object.entries(count).map(([name, value]) => [`batch.kubernetes.io/${name}`, value]);
    const annotations = { "batch.kubernetes.io/job-completion-index": "3", ...Object.fromEntries(counts) };
    expect(podOf(annotations).ofIndex).toEqual(ofIndex);
  });
});
