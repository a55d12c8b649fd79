import { describe, expect, it } from "vitest";
import { anEvent, aStatus, madeUpRecord, running, terminated, waiting } from "../support/builders.ts";
import { at, explainPod } from "../support/explain-pod.ts";

function looping(restarts: number) {
  const waitedMs = [0, 10, 20, 40, 80, 160].slice(0, restarts).reduce((sum, seconds) => sum + seconds * 1_000, 0);
  const startedAtMs = at(0) + waitedMs + restarts * 5_000;
  const last = terminated(startedAtMs, startedAtMs + 5_000);
  return { status: aStatus({ state: last, lastState: last, restartCount: restarts }), endedAtMs: startedAtMs + 5_000 };
}

describe("how long a pod has been down", () => {
  it.each([0, 1, 2, 3, 4, 5])("counts all time except the runs, after %d restarts", (restarts) => {
    const { status, endedAtMs } = looping(restarts);
    const { availability } = explainPod({ statuses: [status] }, { atMs: endedAtMs + 3_000 });
    const totalMs = endedAtMs + 3_000 - at(0);
    const downMs = totalMs - (restarts + 1) * 5_000;
    const basis = restarts === 0 ? "observed" : "inferred";
    expect(availability).toEqual({ sinceMs: at(0), downMs, share: downMs / totalMs, basis });
  });

  it("counts the present run as up", () => {
    const status = aStatus({ state: running(at(30)), lastState: terminated(at(0), at(20)), restartCount: 1 });
    expect(explainPod({ statuses: [status] }, { atMs: at(40) }).availability).toMatchObject({
      downMs: 10_000,
      share: 0.25,
      basis: "observed",
    });
  });

  it("begins at the end of a run that was long enough for a reset", () => {
    const status = aStatus({ state: running(at(3_605)), lastState: terminated(at(0), at(3_600)), restartCount: 1 });
    const { availability } = explainPod({ statuses: [status] }, { atMs: at(3_615) });
    expect(availability).toMatchObject({ sinceMs: at(3_600), downMs: 5_000, basis: "observed" });
  });

  it("is unknown if the other runs must have been shorter than the observed one", () => {
    // Five runs of 60 s do not fit into the pod's 160 s, so the earlier runs were shorter.
    const last = terminated(at(100), at(160));
    const status = aStatus({ state: last, lastState: last, restartCount: 4 });
    expect(explainPod({ statuses: [status] }, { atMs: at(163) }).availability).toBeNull();
  });

  it("is all the time since the creation of a pod that has never started", () => {
    const status = aStatus({ state: waiting("ImagePullBackOff"), ready: false, started: false });
    expect(explainPod({ statuses: [status] }, { atMs: at(300) }).availability).toMatchObject({
      downMs: 300_000,
      share: 1,
    });
  });

  it("is unknown if no run has times, because RestartAllContainers has removed all containers", () => {
    const removed = waiting(
      "RestartingAllContainers",
      "The container is removed because RestartAllContainers in place",
    );
    const status = aStatus({ state: removed, restartCount: 251, ready: false, started: false });
    expect(explainPod({ statuses: [status] }, { atMs: at(600) }).availability).toBeNull();
  });

  it("is unknown if only the present run has times, as after RestartAllContainers", () => {
    const lastState = madeUpRecord("RestartingAllContainers");
    const status = aStatus({ state: running(at(139)), lastState, restartCount: 5 });
    expect(explainPod({ statuses: [status] }, { atMs: at(156) }).availability).toBeNull();
  });

  it("is unknown if nothing shows when the failures began", () => {
    const last = terminated(at(80_000), at(80_005));
    const status = aStatus({ state: last, lastState: last, restartCount: 40 });
    expect(explainPod({ statuses: [status] }, { atMs: at(80_010) }).availability).toBeNull();
  });

  it.each([{}, { statuses: [aStatus({ ready: false })] }])("is unknown for a container that has not exited", (pod) => {
    expect(explainPod(pod, { atMs: at(60) }).availability).toBeNull();
  });
});

describe("what keeps a pod from starting", () => {
  const stuck = (reason: string, message: string | null = null) => ({
    statuses: [aStatus({ state: waiting(reason, message), ready: false, started: false, containerID: null })],
    phase: "Pending",
  });

  it("is the pull of an image, with the failures that its event counts", () => {
    const message = 'Failed to pull image "web:2": rpc error: code = NotFound desc = manifest unknown';
    const failed = { type: "Warning" as const, reason: "Failed", container: "app", message };
    const events = [anEvent({ ...failed, count: 4, firstAtMs: at(3), lastAtMs: at(90) })];
    expect(explainPod(stuck("ImagePullBackOff"), { atMs: at(100), events }).obstacle).toEqual({
      reason: "ImagePullBackOff",
      message: expect.stringContaining("manifest unknown"),
      count: 4,
      sinceMs: at(3),
    });
  });

  it("is a volume that can't be mounted", () => {
    const mount = { type: "Warning" as const, reason: "FailedMount", container: null };
    const message = 'MountVolume.SetUp failed for volume "config" : configmap "app" not found';
    const events = [anEvent({ ...mount, message, count: 8, firstAtMs: at(1), lastAtMs: at(120) })];
    expect(explainPod(stuck("ContainerCreating"), { atMs: at(125), events }).obstacle).toEqual({
      reason: "FailedMount",
      message,
      count: 8,
      sinceMs: at(1),
    });
  });

  it("is the reason in the status, with the failures that an event counts", () => {
    const missing = stuck("CreateContainerConfigError", "couldn't find key password in Secret shop/db");
    const failed = { type: "Warning" as const, reason: "Failed", container: "app" };
    const message = "Error: couldn't find key password in Secret shop/db";
    const events = [anEvent({ ...failed, message, count: 12, firstAtMs: at(2), lastAtMs: at(55) })];
    expect(explainPod(missing, { atMs: at(60), events }).obstacle).toEqual({
      reason: "CreateContainerConfigError",
      message: "couldn't find key password in Secret shop/db",
      count: 12,
      sinceMs: at(2),
    });
  });

  it("does not count failed image pulls, whose events may hold back those of the failed start", () => {
    const missing = stuck("CreateContainerConfigError", 'secret "db" not found');
    const failed = { type: "Warning" as const, reason: "Failed", container: "app", firstAtMs: at(2), lastAtMs: at(55) };
    const messages = [
      "Error: ErrImagePull",
      "Error: ImagePullBackOff",
      "(combined from similar events): Error: ErrImagePull",
    ];
    const events = messages.map((message) => anEvent({ ...failed, message, count: 12 }));
    expect(explainPod(missing, { atMs: at(60), events }).obstacle).toMatchObject({ count: null, sinceMs: null });
  });

  it("is the reason in the status if no event counts the failures", () => {
    const missing = stuck("CreateContainerConfigError", 'secret "db" not found');
    expect(explainPod(missing, { atMs: at(60) }).obstacle).toEqual({
      reason: "CreateContainerConfigError",
      message: 'secret "db" not found',
      count: null,
      sinceMs: null,
    });
  });

  it("is nothing in a crash loop", () => {
    expect(explainPod({ statuses: [looping(3).status] }, { atMs: at(90) }).obstacle).toBeNull();
  });
});
