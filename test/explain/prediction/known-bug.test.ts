import { describe, expect, it } from "vitest";
import { textInUtc } from "../../../src/explain/answer/prose.ts";
import type { PodSnapshot } from "../../../src/explain/observed/observation.ts";
import { MINUTE_MS } from "../../../src/kubelet/go-duration.ts";
import { aContainer, anEvent, aProbe, aStatus, running, T0_MS, terminated, waiting } from "../../support/builders.ts";
import { type BugRow, bugsOf, explainedOn } from "../../support/known-bugs.ts";

describe("a container that is not restarted beside a sidecar with a startup probe", () => {
  const sidecar = aContainer({ name: "proxy", type: "sidecar", restartPolicy: "Always", startupProbe: aProbe() });
  const crashed = aStatus({ state: terminated(T0_MS, T0_MS + 120 * MINUTE_MS) });
  const proxy = aStatus({ name: "proxy", containerID: "containerd://p" });
  const POD = { containers: [sidecar, aContainer()], statuses: [proxy, crashed] };
  const CODE = "kubelet-bug-136910";

  it.each<BugRow>([
    { version: "v1.35.0", named: CODE, why: "the first release with the bug" },
    { version: "v1.35.2-gke.100", named: CODE, why: "a vendor's build has the bug, too" },
    { version: "v1.35.3+k3s1", named: CODE, why: "a vendor's build has the bug, too" },
    { version: "v1.35.4", named: null, why: "the bug is fixed in this version" },
    { version: "v1.34.2", named: null, why: "this version is older than the bug" },
    { version: "v1.36.0", named: null, why: "the bug was fixed before the first release" },
    { version: null, named: null, why: "the version is unknown" },
    { seen: { atMs: T0_MS + 120 * MINUTE_MS + 1_000 }, named: null, why: "the restart is not overdue" },
    {
      pod: { containers: [{ ...sidecar, startupProbe: null }, aContainer()] },
      named: null,
      why: "the sidecar has no startup probe",
    },
    {
      pod: { containers: [sidecar, aContainer({ name: "init", type: "init" }), aContainer()] },
      named: null,
      why: "the last init container is no sidecar",
    },
    {
      pod: { statuses: [aStatus({ ...proxy, started: false }), crashed] },
      named: null,
      why: "the sidecar has not started",
    },
    {
      pod: {
        containers: [sidecar, aContainer(), aContainer({ name: "other" })],
        statuses: [proxy, crashed, aStatus({ name: "other", containerID: "containerd://o" })],
      },
      named: null,
      why: "another app container runs",
    },
    {
      pod: { statuses: [aStatus({ ...proxy, state: running(T0_MS + 100 * MINUTE_MS) }), crashed] },
      named: null,
      why: "the sidecar is young, and the node's events show no kubelet restart since",
    },
    {
      pod: { statuses: [aStatus({ ...proxy, state: running(T0_MS + 100 * MINUTE_MS) }), crashed] },
      seen: {
        nodeEvents: [
          anEvent({
            type: "Normal",
            reason: "Starting",
            message: "Starting kubelet.",
            firstAtMs: T0_MS + 110 * MINUTE_MS,
          }),
        ],
      },
      named: CODE,
      why: "the kubelet restarted after the sidecar",
    },
    {
      pod: { statuses: [aStatus({ ...proxy, state: running(T0_MS + 100 * MINUTE_MS) }), crashed] },
      seen: { missing: [{ what: "node-events", why: "forbidden" }] },
      named: CODE,
      why: "a kubelet restart would go unnoticed",
    },
    { pod: { deletionAtMs: T0_MS + 121 * MINUTE_MS }, named: null, why: "the pod is being deleted" },
  ])("on $version, the evidence names $named: $why", (row) => {
    expect(bugsOf(explainedOn({ ...row, pod: { ...POD, ...row.pod } }))).toEqual(row.named === null ? [] : [row.named]);
  });

  it("has a reason that says what to do", () => {
    const app = explainedOn({ version: "v1.35.2-gke.100", pod: POD });
    expect(app.overdue).not.toBeNull();
    expect(textInUtc(app.why)).toMatch(
      /Probably a bug of kubelet v1\.35\.2-gke\.100 \(kubernetes\/kubernetes#136910\): .* Delete the pod \(its ReplicaSet makes another one\), or upgrade the kubelet to v1\.35\.4\.$/,
    );
  });
});

describe("containers that wait for a sidecar whose startup probe the kubelet has dropped", () => {
  const sidecar = aContainer({ name: "proxy", type: "sidecar", restartPolicy: "Always", startupProbe: aProbe() });
  const app = aContainer({ readinessProbe: aProbe() });
  const proxy = aStatus({
    name: "proxy",
    restartCount: 1,
    started: false,
    containerID: "containerd://p2",
    state: running(T0_MS + 2_000),
    lastState: terminated(T0_MS, T0_MS + 1_000),
  });
  const blocked = aStatus({ state: waiting("PodInitializing"), containerID: null });
  const POD: Partial<PodSnapshot> = {
    phase: "Pending",
    restartPolicy: "Never",
    containers: [sidecar, app],
    statuses: [proxy, blocked],
  };
  const CODE = "kubelet-bug-132826";
  const early = { atMs: T0_MS + 60_000 };

  it.each<BugRow>([
    { version: "v1.34.1", named: CODE, why: "the last v1.34 with the bug" },
    { version: "v1.34.2", named: null, why: "the bug is fixed in this version" },
    { version: "v1.32.13", named: CODE, why: "the bug was never fixed in v1.32" },
    { version: "v1.33.5-eks-113cf36", named: CODE, why: "a vendor's build has the bug, too" },
    {
      version: "v1.34.1",
      pod: { restartPolicy: "Always" },
      named: null,
      why: "with restartPolicy Always the kubelet keeps the probe",
    },
    { version: "v1.34.1", seen: early, named: null, why: "the probe may still be running" },
    {
      version: "v1.34.1",
      pod: { containers: [sidecar, aContainer()] },
      named: null,
      why: "the app container has no probe, so the kubelet starts the sidecar's probe again",
    },
    {
      version: "v1.34.1",
      pod: { statuses: [aStatus({ ...proxy, restartCount: 0, lastState: null }), blocked] },
      named: null,
      why: "the sidecar has not exited",
    },
    {
      version: "v1.34.1",
      seen: {
        events: [
          anEvent({
            reason: "Unhealthy",
            message: "Startup probe failed: ",
            container: "proxy",
            firstAtMs: T0_MS + 20_000,
            lastAtMs: T0_MS + 100_000,
          }),
        ],
      },
      named: null,
      why: "an event shows that the probe is running",
    },
  ])("on $version, the evidence names $named: $why", (row) => {
    const expected = row.named === null ? [] : [row.named];
    const whole = { ...row, pod: { ...POD, ...row.pod } };
    expect(bugsOf(explainedOn(whole))).toEqual(expected);
    expect(bugsOf(explainedOn(whole, "proxy"))).toEqual(expected);
  });
});
