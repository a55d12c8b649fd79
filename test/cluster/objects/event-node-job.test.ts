import { describe, expect, it } from "vitest";
import { eventSubjectOf, toEventSnapshot } from "../../../src/cluster/objects/event.ts";
import { toKubeletConfig, toNodeSnapshot } from "../../../src/cluster/objects/node.ts";
import { toOwnedPod } from "../../../src/cluster/objects/pod.ts";
import { toWorkloadSnapshot } from "../../../src/cluster/objects/workload.ts";

const MESSAGE = "Back-off restarting failed container app in pod web";
const NOON_MS = Date.UTC(2026, 10, 21, 12);
const FIRST = "2026-11-21T12:00:00Z";
const LAST = "2026-11-21T12:05:00Z";
const SUBJECT = { kind: "Pod", namespace: "shop", name: "web", uid: "u-1", fieldPath: "spec.containers{app}" };
const EVENT = {
  kind: "Event",
  metadata: { name: "web.1", namespace: "shop", creationTimestamp: "2026-11-21T12:00:01Z" },
  type: "Warning",
  reason: "BackOff",
};
const CORE = {
  ...EVENT,
  apiVersion: "v1",
  involvedObject: SUBJECT,
  message: MESSAGE,
  ...{ count: 12, firstTimestamp: FIRST, lastTimestamp: LAST, eventTime: null },
};
const EVENTS_K8S_IO = {
  ...EVENT,
  apiVersion: "events.k8s.io/v1",
  regarding: SUBJECT,
  note: MESSAGE,
  ...{ deprecatedCount: 12, deprecatedFirstTimestamp: FIRST, deprecatedLastTimestamp: LAST },
};

const SERIES = { count: 4, lastObservedTime: "2026-11-21T12:09:00.999999Z" };

describe("toEventSnapshot()", () => {
  it.each([
    { raw: CORE, group: "core/v1" },
    { raw: EVENTS_K8S_IO, group: "events.k8s.io/v1" },
  ])("reads the same event of $group", ({ raw }) => {
    expect(toEventSnapshot(raw)).toEqual({
      name: "web.1",
      type: "Warning",
      reason: "BackOff",
      message: MESSAGE,
      container: "app",
      createdAtMs: NOON_MS + 1000,
      count: 12,
      firstAtMs: NOON_MS,
      lastAtMs: NOON_MS + 300_000,
    });
    expect(eventSubjectOf(raw)).toMatchObject({ kind: "Pod", namespace: "shop", name: "web", uid: "u-1" });
  });

  it.each([
    { times: { eventTime: "2026-11-21T12:00:00.123456Z" }, expected: [123, 123, 1], why: "eventTime alone" },
    { times: { eventTime: "2026-11-21T12:00:00.5Z", series: SERIES }, expected: [500, 540_999, 4], why: "a series" },
    { times: {}, expected: [null, null, 1], why: "no time at all" },
    { times: { count: 0 }, expected: [null, null, 1], why: "a count of 0 is read as 1" },
    { times: { count: -3, firstTimestamp: 12 }, expected: [null, null, 1], why: "values of the wrong type" },
  ])("reads times and count: $why", ({ times, expected }) => {
    const { firstAtMs, lastAtMs, count } = toEventSnapshot(times);
    const afterNoonMs = [firstAtMs, lastAtMs].map((atMs) => atMs && atMs - NOON_MS);
    expect([...afterNoonMs, count]).toEqual(expected);
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
  ])("reads the fieldPath $fieldPath as container $container", ({ fieldPath, container }) => {
    expect(toEventSnapshot({ involvedObject: { fieldPath } }).container).toBe(container);
  });

  it("reads an unknown type as Normal", () => {
    expect(toEventSnapshot({ type: "Panic" }).type).toBe("Normal");
  });
});

describe("toNodeSnapshot()", () => {
  it("reads name, kubelet version and conditions", () => {
    const message = "Kubelet stopped posting node status.";
    const condition = { type: "Ready", status: "Unknown", reason: "NodeStatusUnknown", message };
    const raw = {
      metadata: { name: "node-a", uid: "n-1" },
      status: { nodeInfo: { kubeletVersion: "v1.37.1" }, conditions: [condition] },
    };
    const conditions = [{ ...condition, lastTransitionAtMs: null }];
    expect(toNodeSnapshot(raw)).toEqual({ name: "node-a", uid: "n-1", kubeletVersion: "v1.37.1", conditions });
  });

  it("reads when the node was created", () => {
    const raw = { metadata: { name: "node-a", creationTimestamp: "2026-11-21T12:00:00Z" } };
    expect(toNodeSnapshot(raw).createdAtMs).toBe(Date.UTC(2026, 10, 21, 12));
  });

  it("returns only the name of a node without a status", () => {
    const nothing = { uid: null, kubeletVersion: null, conditions: [] };
    expect(toNodeSnapshot({ metadata: { name: "node-a" } })).toEqual({ name: "node-a", ...nothing });
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
    const { featureGates } = CONFIG;
    const periods = { maxContainerRestartPeriodMs: 300_000, syncFrequencyMs: 60_000 };
    expect(toKubeletConfig(raw)).toEqual({ featureGates, ...periods });
  });

  it("reads unset fields as null, and also lists invalid fields as unusable", () => {
    const none = { maxContainerRestartPeriodMs: null, featureGates: {}, syncFrequencyMs: null };
    expect(toKubeletConfig({ kubeletconfig: {} })).toEqual(none);
    const crashLoopBackOff = { maxContainerRestartPeriod: "-5m" };
    const nonsense = { syncFrequency: 60, featureGates: { A: "true", B: 1 }, crashLoopBackOff };
    const period = "crashLoopBackOff.maxContainerRestartPeriod";
    const unusable = [period, "featureGates.A", "featureGates.B", "syncFrequency"];
    expect(toKubeletConfig({ kubeletconfig: nonsense })).toEqual({ ...none, unusable });
    const list = { syncFrequency: "0s", featureGates: [true] };
    expect(toKubeletConfig({ kubeletconfig: list })).toEqual({ ...none, unusable: ["featureGates"] });
  });

  it.each([
    { handlers: {}, servesLogs: undefined },
    { handlers: { enableSystemLogHandler: true }, servesLogs: true },
    { handlers: { enableSystemLogHandler: false, enableDebuggingHandlers: true }, servesLogs: false },
    { handlers: { enableSystemLogHandler: true, enableDebuggingHandlers: false }, servesLogs: false },
    { handlers: { enableDebuggingHandlers: false }, servesLogs: false },
  ])("knows from $handlers whether the kubelet serves logs: $servesLogs", ({ handlers, servesLogs }) => {
    expect(toKubeletConfig({ kubeletconfig: handlers })?.servesLogs).toBe(servesLogs);
  });

  const OTHERS = [null, undefined, 7, "kubeletconfig", [], {}, { kubeletconfig: "no" }, { kind: "ConfigMap" }];
  it.each(OTHERS)("returns null for %j, which is no configuration", (raw) => {
    expect(toKubeletConfig(raw)).toBeNull();
  });
});

function jobOf(spec: object, status: object = {}) {
  return toWorkloadSnapshot("Job", { metadata: { name: "export" }, spec, status });
}

function podOf(annotations: object) {
  return toOwnedPod("Job", "export", { metadata: { name: "export-3-x", annotations }, status: { phase: "Failed" } });
}

describe("the finishedAtMs of toOwnedPod()", () => {
  const exited = (name: string, finishedAt: string) => ({ name, state: { terminated: { exitCode: 1, finishedAt } } });
  const finishOf = (initContainers: object[], initContainerStatuses: object[]) => {
    const containerStatuses = [exited("app", "2026-11-21T12:00:00Z")];
    return toOwnedPod("Job", "export", {
      spec: { initContainers },
      status: { phase: "Failed", containerStatuses, initContainerStatuses },
    }).finishedAtMs;
  };
  const [APP_MS, LATER_MS] = [Date.UTC(2026, 10, 21, 12), Date.UTC(2026, 10, 21, 12, 0, 20)];
  const later = [exited("first", "2026-11-21T12:00:20Z")];

  it("is that of a sidecar, which ends after the app containers", () => {
    expect(finishOf([{ name: "first", restartPolicy: "Always" }], later)).toBe(LATER_MS);
    expect(finishOf([{ name: "first" }], later)).toBe(APP_MS);
  });

  it("is unknown while a sidecar runs", () => {
    const running = [{ name: "first", state: { running: { startedAt: "2026-11-21T11:00:00Z" } } }];
    expect(finishOf([{ name: "first", restartPolicy: "Always" }], running)).toBeNull();
  });
});

describe("the updateStrategy of toWorkloadSnapshot()", () => {
  it.each([
    { kind: "StatefulSet", type: "Recreate", is: "Recreate" },
    { kind: "StatefulSet", type: undefined, is: "RollingUpdate" },
    { kind: "DaemonSet", type: "OnDelete", is: "OnDelete" },
  ] as const)("is $is of a $kind with $type", ({ kind, type, is }) => {
    expect(toWorkloadSnapshot(kind, { spec: { updateStrategy: { type } } })).toMatchObject({ updateStrategy: is });
  });
});

describe("the firstOrdinal of toWorkloadSnapshot()", () => {
  it.each([
    { spec: {}, is: 0 },
    { spec: { ordinals: { start: 4 } }, is: 4 },
  ])("is $is of a StatefulSet with $spec", ({ spec, is }) => {
    expect(toWorkloadSnapshot("StatefulSet", { spec })).toMatchObject({ firstOrdinal: is });
  });
});

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
    { failed: "1", ofIndex: { index: 3, failures: 1, ignoredFailures: 0 } },
    { failed: "0", ignored: "4", ofIndex: { index: 3, failures: 0, ignoredFailures: 4 } },
    { failed: "-1", ofIndex: undefined },
    { ofIndex: undefined },
  ])("has pods that say how often their index failed before: $failed, $ignored", ({ failed, ignored, ofIndex }) => {
    const index = "batch.kubernetes.io/job-index";
    const counts = { [`${index}-failure-count`]: failed, [`${index}-ignored-failure-count`]: ignored };
    expect(podOf({ "batch.kubernetes.io/job-completion-index": "3", ...counts }).ofIndex).toEqual(ofIndex);
  });
});
