import { describe, expect, it } from "vitest";
import { eventSubjectOf, toEventSnapshot } from "../../../src/cluster/objects/event.ts";

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
