import { describe, expect, it } from "vitest";
import type { NotReadyPod } from "../../src/explain/answer/backoff-list.ts";
import { explain } from "../../src/explain/explain.ts";
import { notReadyPod } from "../../src/explain/not-ready.ts";
import type {
  ContainerSpec,
  EventSnapshot,
  PodObservation,
  PodSnapshot,
} from "../../src/explain/observed/observation.ts";
import { sinceOf } from "../../src/explain/owners/revisions.ts";
import { MINUTE_MS } from "../../src/kubelet/go-duration.ts";
import {
  aContainer,
  aNode,
  anEvent,
  aPod,
  aProbe,
  aStatus,
  observationOf,
  running,
  T0_MS,
  terminated,
  waiting,
} from "../support/builders.ts";
import { aFailingPod, anOwnedPod, aRevision, condition } from "../support/owners.ts";

function found(
  change: Partial<PodSnapshot>,
  seen: Partial<Pick<PodObservation, "events" | "node" | "missing">> = {},
): NotReadyPod[] {
  const atMs = T0_MS + 2 * MINUTE_MS;
  const observation = observationOf(aPod({ phase: "Running", ...change }), { atMs, ...seen });
  const [observed] = observation.pods;
  const [explained] = explain(observation, {}).pods;
  if (observed === undefined || explained === undefined) throw new Error("no pod");
  return notReadyPod(explained, observed, atMs);
}

describe("notReadyPod()", () => {
  const ready = (status: "True" | "False", lastTransitionAtMs: number | null = T0_MS): PodSnapshot["conditions"] => [
    { type: "Ready", status, reason: null, message: null, lastTransitionAtMs },
  ];

  it.each([
    { why: "not Ready for 2 minutes", change: { conditions: ready("False") }, isNamed: true },
    { why: "not Ready for 1 minute", change: { conditions: ready("False", T0_MS + MINUTE_MS) }, isNamed: false },
    { why: "Ready", change: { conditions: ready("True") }, isNamed: false },
    { why: "Pending without the condition", change: { conditions: [], phase: "Pending" }, isNamed: true },
    { why: "Running without the condition", change: { conditions: [] }, isNamed: false },
    { why: "being deleted", change: { conditions: ready("False"), deletionAtMs: T0_MS }, isNamed: false },
    { why: "completed", change: { conditions: ready("False"), phase: "Succeeded" }, isNamed: false },
    { why: "without a node", change: { conditions: ready("False"), nodeName: null }, isNamed: false },
  ])("names a pod that is $why: $isNamed", ({ change, isNamed }) => {
    expect(found(change)).toEqual(
      isNamed ? [expect.objectContaining({ namespace: "default", pod: "web", workload: null, sinceMs: T0_MS })] : [],
    );
  });

  const notReady = { conditions: ready("False") };
  const unready = (more: object = {}) => ({ ...notReady, statuses: [aStatus({ ready: false, ...more })] });
  const probed = (probes: Partial<ContainerSpec>) => ({ containers: [aContainer(probes)] });
  const failure = (probe: string, at: number, answer: string): EventSnapshot =>
    anEvent({ reason: "Unhealthy", message: `${probe} probe failed: ${answer}`, lastAtMs: T0_MS + at });
  const gate = {
    conditions: ready("False").map((one) => ({
      ...one,
      reason: "ReadinessGatesNotReady",
      message: "no condition yet",
    })),
  };
  const dark = aNode({ conditions: [condition("Ready", "Unknown")] });
  it.each<[string, Partial<PodSnapshot>, Parameters<typeof found>[1], Partial<NotReadyPod>]>([
    [
      "its readiness probe",
      { ...unready(), ...probed({ readinessProbe: aProbe() }) },
      {},
      { cause: "readiness-probe" },
    ],
    [
      "the newest answer to its readiness probe",
      { ...unready(), ...probed({ readinessProbe: aProbe() }) },
      {
        events: [failure("Readiness", 9, "lag 93s"), failure("Readiness", 5, "lag 5s"), failure("Liveness", 10, "no")],
      },
      { cause: "readiness-probe", message: "lag 93s" },
    ],
    [
      "its startup probe, which comes first",
      { ...unready({ started: false }), ...probed({ readinessProbe: aProbe(), startupProbe: aProbe() }) },
      { events: [failure("Startup", 9, "HTTP 503")] },
      { cause: "startup-probe", message: "HTTP 503" },
    ],
    [
      "its readiness probe after the startup probe",
      { ...unready({ started: true }), ...probed({ readinessProbe: aProbe(), startupProbe: aProbe() }) },
      {},
      { cause: "readiness-probe" },
    ],
    ["nothing known", unready(), {}, { cause: "unknown", message: null }],
    ["a readiness gate", gate, {}, { cause: "readiness-gate", message: "no condition yet", container: null }],
    [
      "that its node does not exist",
      { ...unready(), ...probed({ readinessProbe: aProbe() }) },
      { node: null, missing: [{ what: "node", why: "not-found" }] },
      { cause: "node", message: "it does not exist" },
    ],
    ["its node", { ...unready(), ...probed({ readinessProbe: aProbe() }) }, { node: dark }, { cause: "node" }],
    [
      "a container that has ended",
      { ...unready({ state: terminated(T0_MS, T0_MS + 1_000, { exitCode: 3 }) }), restartPolicy: "Never" },
      {},
      { cause: "ended", message: "exit 3" },
    ],
  ])("finds what keeps the pod from being Ready: %s", (_, change, seen, expected) => {
    expect(found(change, seen)).toMatchObject([expected]);
  });

  it("names the init container that runs, else the first app container or sidecar that is not ready", () => {
    const containers = [aContainer({ name: "migrate", type: "init" }), aContainer(), aContainer({ name: "proxy" })];
    const [migrate, app, proxy] = [
      aStatus({ name: "migrate", state: running(T0_MS), restartCount: 2 }),
      aStatus({ state: waiting("PodInitializing"), ready: false }),
      aStatus({ name: "proxy", ready: false, restartCount: 1 }),
    ];
    const initializing = { ...notReady, phase: "Pending", containers, statuses: [migrate, app, proxy] };
    expect(found(initializing)).toMatchObject([
      { cause: "init-container", waitsFor: "migrate", container: { name: "migrate", restartCount: 2 } },
    ]);
    expect(found({ ...notReady, containers, statuses: [aStatus(), proxy] })).toMatchObject([
      {
        waitsFor: null,
        container: { name: "proxy", isOnlyApp: false, restartCount: 1 },
        readiness: { ready: 1, all: 2 },
      },
    ]);
  });
});

describe("sinceOf() a pod that has never been Ready", () => {
  const owners = {
    chain: [],
    workload: null,
    revisions: [aRevision(2, "web:2", { createdAtMs: T0_MS }), aRevision(1, "web:1")],
    pods: [anOwnedPod("web", { revision: "rev-2", restarts: 0, isReady: false, readySinceMs: null })],
    missing: [],
  };

  it.each([
    { afterMs: 2 * MINUTE_MS - 1, is: undefined, why: "no time is known, because the pod may still be starting up" },
    { afterMs: 2 * MINUTE_MS, is: "perhaps", why: "the failure perhaps began with the new revision" },
  ])("after $afterMs ms: $why", ({ afterMs, is }) => {
    expect(sinceOf(owners, aFailingPod(0), T0_MS + afterMs)?.kind).toBe(is);
  });
});
