import { describe, expect, it } from "vitest";
import type { PodSnapshot } from "../../../src/explain/observed/observation.ts";
import { MINUTE_MS } from "../../../src/kubelet/go-duration.ts";
import { anEvent, aStatus, running, T0_MS, terminated, waiting } from "../../support/builders.ts";
import { type BugRow, bugsOf, explainedOn } from "../../support/known-bugs.ts";

describe("a container that cannot be created", () => {
  const marshaling =
    "rpc error: code = Internal desc = grpc: error while marshaling: string field contains invalid UTF-8";
  const prepare = 'failed to prepare subPath for volumeMount "data" of container "app"';
  const stuck = (reason: string, message: string, hasRun: boolean): Partial<PodSnapshot> => ({
    phase: hasRun ? "Running" : "Pending",
    statuses: [
      aStatus({
        state: waiting(reason, message),
        restartCount: hasRun ? 1 : 0,
        containerID: hasRun ? "containerd://0" : null,
        lastState: hasRun ? terminated(T0_MS, T0_MS + 120 * MINUTE_MS) : null,
      }),
    ],
  });

  it.each<BugRow>([
    {
      version: "v1.34.8",
      pod: stuck("CreateContainerError", marshaling, false),
      named: "kubelet-bug-139132",
      why: "an environment variable is not UTF-8",
    },
    {
      version: "v1.34.9",
      pod: stuck("CreateContainerError", marshaling, false),
      named: null,
      why: "the bug is fixed in this version",
    },
    {
      version: "v1.34.8",
      pod: stuck("CreateContainerError", marshaling.replace("marshaling", "unmarshaling"), false),
      named: null,
      why: "the runtime's error, not the kubelet's",
    },
    {
      version: "v1.36.3",
      pod: stuck("CreateContainerConfigError", prepare, true),
      named: "kubelet-bug-139123",
      why: "the mount was there when the container ran",
    },
    {
      version: "v1.36.3",
      pod: stuck("CreateContainerConfigError", prepare, false),
      named: null,
      why: "the container has never run, so that its subPath may be wrong",
    },
    {
      version: "v1.37.0",
      pod: stuck("CreateContainerConfigError", prepare, true),
      named: null,
      why: "the bug is fixed in this version",
    },
  ])("on $version, the evidence names $named: $why", (row) => {
    expect(bugsOf(explainedOn(row))).toEqual(row.named === null ? [] : [row.named]);
  });
});

describe("a kubelet that restarted after the node's OOM killer killed it", () => {
  const pod = {
    statuses: [
      aStatus({
        restartCount: 1,
        state: running(T0_MS + 125 * MINUTE_MS),
        lastState: terminated(T0_MS, T0_MS + 124 * MINUTE_MS),
      }),
    ],
  };
  const restart = anEvent({
    type: "Normal",
    reason: "Starting",
    message: "Starting kubelet.",
    firstAtMs: T0_MS + 110 * MINUTE_MS,
  });
  const victim = (name: string) =>
    anEvent({
      reason: "SystemOOM",
      message: `System OOM encountered, victim process: ${name}, pid: 812`,
      container: null,
      firstAtMs: T0_MS + 109 * MINUTE_MS,
    });

  it.each<BugRow>([
    {
      version: "v1.36.2",
      seen: { nodeEvents: [restart, victim("kubelet")] },
      named: "kubelet-bug-139823",
      why: "the kubelet was the victim and restarted since",
    },
    {
      version: "v1.36.3",
      seen: { nodeEvents: [restart, victim("kubelet")] },
      named: null,
      why: "the bug is fixed in this version",
    },
    {
      version: "v1.36.2",
      seen: { nodeEvents: [restart, victim("java")] },
      named: null,
      why: "the OOM killer killed another process",
    },
    {
      version: "v1.36.2",
      seen: { nodeEvents: [victim("kubelet")] },
      named: null,
      why: "the kubelet has not restarted since",
    },
  ])("on $version, the evidence names $named: $why", (row) => {
    expect(bugsOf(explainedOn({ ...row, pod }))).toEqual(row.named === null ? [] : [row.named]);
  });
});
