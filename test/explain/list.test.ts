import { describe, expect, it } from "vitest";
import type { BackoffList, ListItem } from "../../src/explain/answer/backoff-list.ts";
import { explain } from "../../src/explain/explain.ts";
import { joined, listed } from "../../src/explain/list.ts";
import type { ContainerStatus, PodSnapshot } from "../../src/explain/observed/observation.ts";
import {
  aContainer,
  aNode,
  anEvent,
  aPod,
  aStatus,
  madeUpRecord,
  observationOf,
  running,
  waiting,
} from "../support/builders.ts";
import { AN_HOUR_ON_MS, down, exited, LOOPING } from "../support/loop-statuses.ts";
import { condition } from "../support/owners.ts";

const BARE = { node: null, kubeletConfig: null };

function listOf(pod: Partial<PodSnapshot>, missing: "forbidden" | null = null): BackoffList {
  const notAsked = { what: "events", why: "not-asked" } as const;
  const refused = missing === null ? [] : [{ what: "node", why: missing } as const];
  const observation = observationOf(aPod(pod), { ...BARE, atMs: AN_HOUR_ON_MS, missing: [notAsked, ...refused] });
  return listed(observation, explain(observation, {}));
}

const START_ERROR =
  'failed to create containerd task: OCI runtime create failed: runc create failed: unable to start container process: exec: "/app": stat /app: no such file or directory: unknown';

const REMOVED = "The container is removed because RestartAllContainers in place";

describe("listed()", () => {
  it("keeps only the printed fields of the last exit, so that a long list does not hold whole pods in memory", () => {
    expect(Object.keys(listOf(LOOPING).items[0]?.lastExit ?? {})).toEqual(["exitCode", "signal"]);
  });

  it.each<[string, Partial<PodSnapshot>, Partial<ListItem>]>([
    ["in back-off, though the status says Error", LOOPING, { state: "backing-off", cause: "exited", delayMs: 300_000 }],
    [
      "with the essential part of a start error",
      down({
        state: waiting("CrashLoopBackOff"),
        lastState: { ...exited(128, 60), reason: "StartError", message: START_ERROR },
        restartCount: 3,
      }),
      { cause: "start-error", message: 'exec: "/app": stat /app: no such file or directory' },
    ],
    [
      "with a success under Always",
      down({ state: exited(0, 60), lastState: exited(0, 60), restartCount: 6 }),
      { state: "backing-off", reported: "Completed" },
    ],
    [
      "without the message that the kubelet makes up for RestartAllContainers",
      {
        statuses: [
          aStatus({
            state: running(AN_HOUR_ON_MS - 60_000),
            lastState: { ...madeUpRecord("RestartingAllContainers"), message: REMOVED },
            restartCount: 5,
          }),
        ],
      },
      { cause: "restart-all", message: null },
    ],
    [
      "whose image cannot be pulled",
      down({ state: waiting("ImagePullBackOff") }),
      { state: "starting", cause: "image-pull" },
    ],
    [
      "that crash-loops, but is up",
      { statuses: [aStatus({ state: running(AN_HOUR_ON_MS - 60_000), lastState: exited(1, 380), restartCount: 6 })] },
      { state: "running", cause: "exited", delayMs: 300_000, nextRestart: null },
    ],
    [
      "whose configuration is missing",
      down({ state: waiting("CreateContainerConfigError") }),
      { cause: "start-failure" },
    ],
  ])("keeps a container %s", (_, pod, expected) => {
    expect(listOf(pod).items).toEqual([expect.objectContaining({ namespace: "default", pod: "web", ...expected })]);
  });

  describe("for a pod whose containers have never started", () => {
    const waits = (name: string) =>
      aStatus({ name, state: waiting("ContainerCreating"), ready: false, started: false });
    const creating = (secondsAgo: number): Partial<PodSnapshot> => ({
      createdAtMs: AN_HOUR_ON_MS - secondsAgo * 1000,
      phase: "Pending",
      containers: [aContainer({ name: "app" }), aContainer({ name: "proxy" })],
      statuses: [waits("app"), waits("proxy")],
    });

    it("has one item from two minutes after the pod's creation on", () => {
      const stuck = { container: "app", state: "starting", cause: "start-failure", reported: "ContainerCreating" };
      expect(listOf(creating(119)).items).toEqual([]);
      expect(listOf(creating(120)).items).toMatchObject([stuck]);
    });

    it("has an item only from two minutes after the end of the last init container on", () => {
      const done = aStatus({ name: "first", state: exited(0, 60), lastState: null, ready: true });
      const pod = creating(3_000);
      const { containers = [], statuses = [] } = pod;
      const first = aContainer({ name: "first", type: "init" });
      const items = (ofInit: readonly ContainerStatus[]) =>
        listOf({ ...pod, containers: [first, ...containers], statuses: [...ofInit, ...statuses] }).items;
      expect(items([done])).toEqual([]);
      expect(items([{ ...done, state: exited(0, 120) }])).toMatchObject([{ container: "app" }]);
    });
  });

  it.each<[string, Partial<PodSnapshot>, Partial<ListItem>]>([
    [
      "that no node fits, once for all its containers",
      {
        ...{
          statuses: [],
          nodeName: null,
          phase: "Pending",
          containers: [aContainer(), aContainer({ name: "proxy" })],
        },
        conditions: [
          condition("PodScheduled", "False", { reason: "Unschedulable", message: "0/1 nodes are available" }),
        ],
      },
      { container: "app", state: "starting", reported: "Unschedulable", message: "0/1 nodes are available" },
    ],
    [
      "that left a termination message",
      down({ state: { ...exited(1, 60), message: "line 1\nno such host\n" }, restartCount: 6 }),
      { message: "no such host" },
    ],
  ])("lists a pod %s", (_, pod, expected) => {
    expect(listOf(pod).items).toEqual([expect.objectContaining(expected)]);
  });

  it("names what keeps a whole pod from starting, which kubectl calls ContainerCreating", () => {
    const pod = down({ state: waiting("ContainerCreating"), containerID: null });
    const failed = {
      reason: "FailedMount",
      message: 'secret "tls" not found',
      container: null,
      firstAtMs: AN_HOUR_ON_MS - 9_000,
    };
    const events = [anEvent({ ...failed, lastAtMs: AN_HOUR_ON_MS - 9_000 })];
    const observation = observationOf(aPod({ ...pod, phase: "Pending" }), { ...BARE, atMs: AN_HOUR_ON_MS, events });
    expect(listed(observation, explain(observation, {})).items).toMatchObject([
      { cause: "start-failure", reported: "ContainerCreating", obstacleReason: "FailedMount" },
    ]);
  });

  it("has the workload, which is the owner if unknown, and whether container and node are Ready", () => {
    const node = aNode({ conditions: [condition("Ready", "False")] });
    const pod = aPod(LOOPING);
    const itemOf = (workload: ListItem["workload"] | undefined) => {
      const observation = observationOf(pod, { ...BARE, atMs: AN_HOUR_ON_MS, node, ...(workload && { workload }) });
      return listed(observation, explain(observation, {})).items[0];
    };
    const deployment = { kind: "Deployment", name: "web" };
    expect(itemOf(deployment)).toMatchObject({
      workload: deployment,
      owner: pod.owner,
      isReady: false,
      isNodeReady: false,
    });
    expect(itemOf(undefined)?.workload).toEqual(pod.owner);
    expect(listOf(LOOPING).items).toMatchObject([{ isNodeReady: null, startedAtMs: null }]);
    const missing = [{ what: "node", why: "not-found" }] as const;
    const gone = observationOf(pod, { ...BARE, atMs: AN_HOUR_ON_MS, node: null, missing });
    expect(listed(gone, explain(gone, {})).items).toMatchObject([{ isNodeReady: false, isNodeMissing: true }]);
  });

  it.each<[string, Partial<PodSnapshot>]>([
    ["that runs", {}],
    ["that has outlived its back-off", { statuses: [aStatus({ restartCount: 9, lastState: exited(1, 4000) })] }],
    [
      "that was restarted once",
      { statuses: [aStatus({ state: running(AN_HOUR_ON_MS - 60_000), lastState: exited(1, 61), restartCount: 1 })] },
    ],
    ["that is being created in a pod whose phase is Running", down({ state: waiting("ContainerCreating") })],
    ["of a pod that has failed for good", { ...LOOPING, restartPolicy: "Never", phase: "Failed" }],
    ["that has ended under Never, beside one that runs", { ...LOOPING, restartPolicy: "Never" }],
    ["of a pod that is being deleted", { ...LOOPING, deletionAtMs: AN_HOUR_ON_MS }],
    ["of a pod that is not scheduled yet", { statuses: [], nodeName: null, phase: "Pending" }],
  ])("leaves out a container %s", (_, pod) => expect(listOf(pod).items).toEqual([]));

  it("keeps a failing init container, and not the app container that waits for it", () => {
    const { items } = listOf({
      phase: "Pending",
      containers: [aContainer({ name: "setup", type: "init" }), aContainer()],
      statuses: [
        aStatus({ name: "setup", ready: false, state: exited(2, 60), lastState: exited(2, 60), restartCount: 6 }),
        aStatus({ ready: false, started: false, state: waiting("PodInitializing") }),
      ],
    });
    expect(items.map(({ container }) => container)).toEqual(["setup"]);
  });

  it("has gaps about what could not be read, but not about what was not requested", () => {
    expect(listOf(LOOPING, "forbidden").gaps.map(({ code }) => code)).toEqual(["node-forbidden"]);
    expect(listOf(LOOPING).gaps).toEqual([]);
    expect(listOf({}, "forbidden").gaps).toEqual([]);
  });
});

describe("joined()", () => {
  it("joins parts into one list of the given moment, with each gap once", () => {
    const part = listOf(LOOPING, "forbidden");
    const both = joined({ atMs: AN_HOUR_ON_MS, atBasis: "server-clock" }, [{ ...part, atMs: AN_HOUR_ON_MS + 1 }, part]);
    expect(both).toMatchObject({ atMs: AN_HOUR_ON_MS, items: [{}, {}] });
    expect(both.gaps).toHaveLength(1);
  });
});
