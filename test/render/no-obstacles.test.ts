import { describe, expect, it } from "vitest";
import type { EventSnapshot, PodSnapshot } from "../../src/explain/observed/observation.ts";
import { aContainer, aNode, anEvent, aStatus, running, S, T0_MS } from "../support/builders.ts";
import {
  CRASH_LOOP,
  CRASHED,
  CREATING,
  condition,
  FAILED_MOUNT,
  NO_NODE_FITS,
  NO_SANDBOX,
  NOW_S,
  told,
  warning,
} from "../support/held-up.ts";

const RUNS = { verdict: "running", headline: ": app is running." };
const LOOPS = { verdict: "crash-looping", headline: ': app is in CrashLoopBackOff (kubectl shows "Error").' };
const NOT_STARTED = { verdict: "pending", headline: ": app has not started yet, 25m after the pod was created." };

describe("a pod that is not held up", () => {
  const started = (startedS: number) => aStatus({ state: running(T0_MS + startedS * S) });
  const pulling = anEvent({ type: "Normal", reason: "Pulling", message: "", firstAtMs: T0_MS + 1_501 * S });

  it.each<{ why: string; pod: Partial<PodSnapshot>; events: EventSnapshot[]; verdict: string; headline: string }>([
    { why: "its container has started since", pod: { statuses: [started(1_501)] }, events: [FAILED_MOUNT], ...RUNS },
    {
      why: "a volume of running containers cannot be mounted again",
      pod: { statuses: [started(10)] },
      events: [FAILED_MOUNT],
      ...RUNS,
    },
    {
      why: "its image is being pulled, so its sandbox is there",
      pod: CREATING,
      events: [FAILED_MOUNT, NO_SANDBOX, { ...pulling, lastAtMs: T0_MS + 1_507 * S }],
      ...NOT_STARTED,
    },
    {
      why: "the volume is attached by now",
      pod: CREATING,
      events: [
        warning("FailedAttachVolume", "AttachVolume.Attach failed", [1, 9], 4),
        { ...warning("SuccessfulAttachVolume", "AttachVolume.Attach succeeded", [11, 11]), type: "Normal" },
      ],
      ...NOT_STARTED,
    },
    {
      why: "it crash-loops in a sandbox that is ready",
      pod: { conditions: [condition("PodReadyToStartContainers", "True")], statuses: [CRASH_LOOP] },
      events: [FAILED_MOUNT],
      ...LOOPS,
    },
    {
      why: "it crash-loops, and the pod has no condition about its sandbox",
      pod: { statuses: [CRASH_LOOP] },
      events: [FAILED_MOUNT],
      ...LOOPS,
    },
    {
      why: "it has been scheduled since",
      pod: CREATING,
      events: [warning("FailedScheduling", NO_NODE_FITS, [0, 1_400], 6)],
      ...NOT_STARTED,
    },
    {
      why: "it is being deleted",
      pod: { ...CREATING, deletionAtMs: T0_MS + NOW_S * S },
      events: [FAILED_MOUNT],
      verdict: "terminating",
      headline: " is being deleted; its containers will not restart.",
    },
  ])("is not explained by a Warning that no longer holds: $why", ({ pod, events, verdict, headline }) => {
    expect(told(pod, { events })).toMatchObject({ verdict, headline });
  });

  it("waits for an init container of a new sandbox, although its app container has crashed in the old one", () => {
    const pod = {
      phase: "Pending",
      containers: [aContainer({ name: "wait-db", type: "init" }), aContainer()],
      statuses: [aStatus({ name: "wait-db", state: running(T0_MS + 500 * S), restartCount: 5 }), CRASHED],
    };
    expect(told(pod)).toMatchObject({
      headline: ": init container wait-db has been running for 16m; app starts when it finishes.",
      verdict: "pending",
      states: "running blocked",
      plan: ["app: wait for the containers before it."],
    });
  });
});

describe("a node that is not ready", () => {
  it("leaves the verdict crash-looping, and says that nothing restarts until the node is back", () => {
    const node = aNode({ conditions: [condition("Ready", "Unknown")] });
    expect(told({ statuses: [CRASH_LOOP] }, { node }, 1_800)).toMatchObject({
      headline: ': app is crash-looping and down (kubectl shows "Error").',
      next: "Node node-a is NotReady: nothing on it restarts until it is back.",
      verdict: "crash-looping",
      states: "restarting",
    });
  });
});

describe("a pod that is over", () => {
  const LOW = "The node was low on resource: ephemeral-storage. Container app was using 3Gi, request is 0. ";

  it.each<{ why: string; pod: Partial<PodSnapshot>; events?: EventSnapshot[]; headline: string; says: string }>([
    {
      why: "evicted without any status",
      pod: { phase: "Failed", reason: "Evicted", message: LOW, statuses: [] },
      headline:
        " was evicted: The node was low on resource: ephemeral-storage. Container app was using 3Gi, request is 0.",
      says: "The pod's phase is Failed (Evicted); the API has no status of this container.",
    },
    {
      why: "rejected by the kubelet",
      pod: {
        phase: "Failed",
        reason: "UnexpectedAdmissionError",
        message: "Allocate failed due to no healthy devices present; cannot allocate unhealthy devices",
        statuses: [],
      },
      headline:
        " has failed: Allocate failed due to no healthy devices present; cannot allocate unhealthy devices (UnexpectedAdmissionError).",
      says: "The pod's phase is Failed (UnexpectedAdmissionError); the API has no status of this container.",
    },
    {
      why: "past its deadline",
      pod: {
        phase: "Failed",
        reason: "DeadlineExceeded",
        message: "Pod was active on the node longer than the specified deadline",
        statuses: [CRASHED],
      },
      headline: " has failed: Pod was active on the node longer than the specified deadline (DeadlineExceeded).",
      says: "The pod's phase is Failed (DeadlineExceeded): its containers will not restart.",
    },
    {
      why: "preempted, by the scheduler's event",
      pod: {
        deletionAtMs: T0_MS + NOW_S * S,
        conditions: [
          condition("DisruptionTarget", "True", {
            reason: "PreemptionByScheduler",
            message: "default-scheduler: preempting to accommodate a higher priority pod",
          }),
        ],
        statuses: [CRASHED],
      },
      events: [{ ...warning("Preempted", "Preempted by pod 4f0e on node node-a", [1_505, 1_505]), type: "Normal" }],
      headline: " is being deleted (Preempted by pod 4f0e on node node-a); its containers will not restart.",
      says: "The pod is being deleted; its containers will not restart.",
    },
    {
      why: "deleted because of a taint, by its condition",
      pod: {
        deletionAtMs: T0_MS + NOW_S * S,
        conditions: [
          condition("DisruptionTarget", "True", {
            reason: "DeletionByTaintManager",
            message: "Taint manager: deleting due to NoExecute taint",
          }),
        ],
        statuses: [CRASHED],
      },
      headline: " is being deleted (Taint manager: deleting due to NoExecute taint); its containers will not restart.",
      says: "The pod is being deleted; its containers will not restart.",
    },
  ])("says why it is over: $why", ({ pod, events = [], headline, says }) => {
    expect(told(pod, { events })).toMatchObject({ headline, next: "", why: says });
  });
});
