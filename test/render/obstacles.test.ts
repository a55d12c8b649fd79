import { describe, expect, it } from "vitest";
import type { PodObservation, PodSnapshot } from "../../src/explain/observed/observation.ts";
import { aContainer, aNode, anEvent, aStatus, T0_MS, waiting } from "../support/builders.ts";
import {
  CRASHED,
  CREATING,
  condition,
  FAILED_MOUNT,
  NO_CONFIG,
  NO_NODE_FITS,
  NO_SANDBOX,
  NOT_MOUNTED,
  told,
  UNSCHEDULED,
  warning,
} from "../support/held-up.ts";

function notCreated(logged: string): Partial<PodSnapshot> {
  const state = waiting("CreateContainerError", `container create failed: ${logged}`);
  return { phase: "Pending", statuses: [aStatus({ state, containerID: null })] };
}

const NO_SANDBOX_IN_WORDS = {
  headline:
    ': app can\'t start: failed to setup network for sandbox "4f": no IP left (FailedCreatePodSandBox, 7 times in 5m6s).',
  next: "The kubelet retries in 6s-13s (12:25:16-12:25:23 UTC, 95% confidence).",
};
const NO_CONFIG_IN_WORDS = {
  headline: ': app can\'t start: configmap "shop-config" not found (FailedMount, 12 times in 25m).',
  next: "The kubelet retries in 1m52s-1m54s (12:27:02-12:27:04 UTC, 95% confidence).",
};
const RETRIES_SOON = "The kubelet retries within 16s (by 12:25:26 UTC, 95% confidence).";
const NO_NODE_IN_WORDS = {
  headline: " is not scheduled: 0/6 nodes are available: 3 Insufficient memory, 3 node(s) had untolerated taint(s).",
  next: "",
};

const NO_PATH = "hostPath type check failed: /srv/model.bin is not a file";

describe("a pod that is held up before it starts", () => {
  it("names the volume's error, how often it came, and when the kubelet tries again", () => {
    expect(told(CREATING, { events: [FAILED_MOUNT] })).toEqual({
      ...NO_CONFIG_IN_WORDS,
      verdict: "start-failing",
      states: "starting",
      plan: ['Wait for the pod\'s volumes, and go no further until this is fixed: configmap "shop-config" not found.'],
      why: `${NO_CONFIG}. The kubelet retries the mount at most 2m2s after the last failure; nothing in the pod starts until it succeeds.`,
    });
  });

  it.each<{ why: string; pod: Partial<PodSnapshot>; seen: Partial<PodObservation>; headline: string; next: string }>([
    {
      why: "the volume's own error says more than that volumes are missing",
      pod: CREATING,
      seen: { events: [FAILED_MOUNT, NOT_MOUNTED] },
      ...NO_CONFIG_IN_WORDS,
    },
    {
      why: "an old error of a volume is not what is missing now",
      pod: CREATING,
      seen: { events: [warning("FailedMount", NO_CONFIG, [0, 5], 3), NOT_MOUNTED] },
      headline:
        ": app can't start: Unable to attach or mount volumes: unmounted volumes=[config] (FailedMount, 11 times in 23m).",
      next: "",
    },
    {
      why: "a path that the node does not have",
      pod: CREATING,
      seen: { events: [warning("FailedMount", `MountVolume.SetUp failed for volume "model" : ${NO_PATH}`, [1, 1])] },
      headline: `: app can't start on node-a: ${NO_PATH} (FailedMount, last 25m ago).`,
      next: "",
    },
    {
      why: "a volume that is in use elsewhere, which is said once",
      pod: CREATING,
      seen: {
        events: [
          warning(
            "FailedAttachVolume",
            'Multi-Attach error for volume "pv-1" Volume is already used by pod(s) db-0',
            [1, 1],
          ),
          NOT_MOUNTED,
        ],
      },
      headline:
        ': app can\'t start: Multi-Attach error for volume "pv-1" Volume is already used by pod(s) db-0 (FailedAttachVolume, last 25m ago).',
      next: "",
    },
    {
      why: "the kubelet holds back events of a mount that it may retry at any time",
      pod: CREATING,
      seen: { events: [warning("FailedMount", NO_CONFIG, [0, 1_220], 26)] },
      headline: ': app can\'t start: configmap "shop-config" not found (FailedMount, at least 26 times in 20m).',
      next: "The kubelet retries within 2m4s (by 12:27:14 UTC, 95% confidence).",
    },
    {
      why: "no time is predicted while a mount is under way",
      pod: CREATING,
      seen: { events: [warning("FailedMount", NO_CONFIG, [0, 1_300], 12)] },
      headline: ': app can\'t start: configmap "shop-config" not found (FailedMount, 12 times in 21m).',
      next: "",
    },
    {
      why: "the sandbox fails, which comes after the volumes",
      pod: CREATING,
      seen: { events: [FAILED_MOUNT, NO_SANDBOX] },
      ...NO_SANDBOX_IN_WORDS,
    },
    {
      why: "a new sandbox that fails after a crash",
      pod: { conditions: [condition("PodReadyToStartContainers", "False")], statuses: [CRASHED] },
      seen: { events: [NO_SANDBOX] },
      ...NO_SANDBOX_IN_WORDS,
    },
    {
      why: "a new sandbox that fails after a crash, on v1.28 or older, which has no condition about it",
      pod: { statuses: [CRASHED] },
      seen: { events: [NO_SANDBOX] },
      ...NO_SANDBOX_IN_WORDS,
    },
    {
      why: "the pod has several containers, so none is named",
      pod: { ...CREATING, containers: [aContainer(), aContainer({ name: "other" })] },
      seen: { events: [FAILED_MOUNT] },
      headline: NO_CONFIG_IN_WORDS.headline.replace(": app", ""),
      next: NO_CONFIG_IN_WORDS.next,
    },
    {
      why: "the node is NotReady",
      pod: CREATING,
      seen: { node: aNode({ conditions: [condition("Ready", "Unknown")] }) },
      headline: ": app can't start: node node-a is NotReady (kubelet not responding).",
      next: "",
    },
    {
      why: "the node is NotReady, by the event, because the node could not be read",
      pod: CREATING,
      seen: { node: null, events: [warning("NodeNotReady", "Node is not ready", [1_400, 1_400])] },
      headline: ": app can't start: Node is not ready.",
      next: "",
    },
    {
      why: "the node's network is not ready",
      pod: CREATING,
      seen: { events: [warning("NetworkNotReady", "network is not ready: no CNI configuration", [0, 1_500], 9)] },
      headline: ": app can't start: network is not ready: no CNI configuration (NetworkNotReady, 9 times in 25m).",
      next: "",
    },
    {
      why: "a ConfigMap that the container needs is missing",
      pod: {
        phase: "Pending",
        statuses: [
          aStatus({ state: waiting("CreateContainerConfigError", 'configmap "absent" not found'), containerID: null }),
        ],
      },
      seen: {},
      headline: ': app can\'t start: configmap "absent" not found (CreateContainerConfigError).',
      next: RETRIES_SOON,
    },
    {
      why: "a container that CRI-O could not create, in runc's words",
      pod: notCreated(
        'time="2026-11-22T18:58:34Z" level=error msg="runc create failed: unable to start container process: exec: \\"/no/such/command\\": stat /no/such/command: no such file or directory"\n',
      ),
      seen: {},
      headline:
        ': app can\'t start: exec: "/no/such/command": stat /no/such/command: no such file or directory (CreateContainerError).',
      next: RETRIES_SOON,
    },
    {
      why: "a container that CRI-O could not create, in crun's words",
      pod: notCreated("unknown version specified\n"),
      seen: {},
      headline: ": app can't start: unknown version specified (CreateContainerError).",
      next: RETRIES_SOON,
    },
    {
      why: "no node fits, by the condition",
      pod: {
        ...UNSCHEDULED,
        conditions: [condition("PodScheduled", "False", { reason: "Unschedulable", message: NO_NODE_FITS })],
      },
      seen: {},
      ...NO_NODE_IN_WORDS,
    },
    {
      why: "no node fits, by the event",
      pod: UNSCHEDULED,
      seen: { events: [warning("FailedScheduling", NO_NODE_FITS, [0, 1_400], 6)] },
      ...NO_NODE_IN_WORDS,
    },
  ])("says what stands in the way: $why", ({ pod, seen, headline, next }) => {
    expect(told(pod, seen)).toMatchObject({
      headline,
      next,
      verdict: "start-failing",
      states: expect.stringMatching(/^starting/),
    });
  });

  it("gives the same reason for two containers as for one", () => {
    const pod = { ...CREATING, containers: [aContainer(), aContainer({ name: "other" })] };
    expect(told(pod, { events: [FAILED_MOUNT] }).why).toBe(told(CREATING, { events: [FAILED_MOUNT] }).why);
  });

  it("is pending, not failing, with a scheduling gate or if nothing reports a failure", () => {
    const message = "Scheduling is blocked due to non-empty scheduling gates";
    const gated = {
      ...UNSCHEDULED,
      conditions: [condition("PodScheduled", "False", { reason: "SchedulingGated", message })],
    };
    expect(told(gated)).toMatchObject({ headline: ` is not scheduled: ${message}.`, verdict: "pending" });
    expect(told({ ...gated, schedulingGates: ["example.com/quota"] })).toMatchObject({
      headline: ` is not scheduled: ${message}: example.com/quota.`,
    });
    expect(told(UNSCHEDULED)).toMatchObject({ headline: " is not scheduled yet.", verdict: "pending" });
    expect(told(CREATING)).toMatchObject({
      headline: ": app has not started yet, 25m after the pod was created.",
      verdict: "pending",
      why: "The kubelet took the pod at 12:00:00 UTC and is preparing its volumes or its sandbox (PodReadyToStartContainers is False); no event says what fails.",
    });
  });

  it("waits for a postStart hook if only the event Started shows that its process runs", () => {
    const pod = { ...CREATING, containers: [aContainer({ hasPostStart: true })] };
    const started = anEvent({
      type: "Normal",
      reason: "Started",
      message: "Started container app",
      lastAtMs: T0_MS + 60_000,
    });
    expect(told(pod, { events: [started] })).toMatchObject({
      headline: ": app has been waiting for its postStart hook for 24m.",
      why: expect.stringMatching(
        /^Its process has been running since 12:01:00 UTC, and the kubelet waits for its postStart hook/,
      ),
    });
  });
});
