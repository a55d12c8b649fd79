import { describe, expect, it } from "vitest";
import type { Eta } from "../../src/explain/answer/eta.ts";
import { explain } from "../../src/explain/explain.ts";
import type { PodObservation, PodSnapshot } from "../../src/explain/observed/observation.ts";
import {
  aContainer,
  aNode,
  anEvent,
  aPod,
  aStatus,
  observationOf,
  running,
  S,
  T0_MS,
  terminated,
  waiting,
} from "../support/builders.ts";
import { aHerdEta, aLoopingPod, etaOfPods } from "../support/etas.ts";
import { explainApp } from "../support/explain-pod.ts";
import { condition } from "../support/owners.ts";

const EXIT_MS = T0_MS + 1_000 * S;
const NOW_MS = EXIT_MS + 30 * S;
const OWNER = { kind: "ReplicaSet", name: "web-1" };
const DOWN = terminated(EXIT_MS - 5 * S, EXIT_MS);
const CRASHED = aStatus({ state: waiting("CrashLoopBackOff"), lastState: DOWN, restartCount: 5 });

const looping = (name: string, delayS: number, more: Partial<PodSnapshot> = {}): PodSnapshot =>
  aLoopingPod(name, EXIT_MS, delayS * S, more);

const podWith = (more: Partial<PodSnapshot>): PodSnapshot => aPod({ createdAtMs: EXIT_MS - 3_600 * S, ...more });

function of(pods: readonly PodSnapshot[], seen: Partial<PodObservation> = {}, atMs = NOW_MS): Eta {
  return etaOfPods(pods, atMs, seen);
}

const initOf = (state: ReturnType<typeof waiting> | ReturnType<typeof running>, type: "init" | "sidecar" = "init") => ({
  containers: [aContainer({ name: "first", type }), aContainer({ name: "second", type: "init" }), aContainer()],
  statuses: [
    { ...CRASHED, name: "first", state, lastState: state.kind === "running" ? null : DOWN },
    aStatus({ name: "second", state: waiting("PodInitializing"), containerID: null }),
    aStatus({ state: waiting("PodInitializing"), containerID: null }),
  ],
  phase: "Pending",
});

describe("etaPart()", () => {
  it("has the windows and delays of an explanation, the last one first", () => {
    const pods = [looping("a", 40), looping("b", 300), looping("c", 160)];
    const { down } = of(pods);
    expect(down.map(({ pod }) => pod)).toEqual(["b", "c", "a"]);
    for (const { pod, nextRestart, delayMs } of down) {
      const [snapshot = aPod()] = pods.filter(({ name }) => name === pod);
      const [explained] = explain(observationOf(snapshot, { atMs: NOW_MS }), {}).pods;
      expect(explained?.containers[0]).toMatchObject({ nextRestart, delayMs });
    }
  });

  it("expects all up by the end of the last window, which allows for an image pull", () => {
    const containers = [aContainer({ imagePullPolicy: "Always" })];
    const { down, quantiles, quantilesOfDown } = of([
      looping("a", 160, { containers }),
      looping("b", 300, { containers }),
    ]);
    const ends = down.map(({ nextRestart }) => nextRestart?.likelyByMs);
    expect(quantilesOfDown.at(-1)?.likelyByMs).toBe(ends[0]);
    expect(quantiles.at(-1)?.likelyByMs).toBe(ends[0]);
  });

  it.each<[string, Partial<PodSnapshot>, Partial<PodObservation>, Partial<Record<keyof Eta, unknown>>]>([
    [
      "has crashed and runs only since this second, not Ready",
      { statuses: [aStatus({ state: running(NOW_MS), lastState: DOWN, restartCount: 3, ready: false })] },
      {},
      { up: 0, total: 1, unknown: [{ reason: "starting" }], crashLooping: [] },
    ],
    ["runs", {}, {}, { up: 1, notReady: [] }],
    ["runs, not Ready", { statuses: [aStatus({ ready: false })] }, {}, { up: 1, notReady: [{ pod: "web" }] }],
    ["is being deleted", { deletionAtMs: NOW_MS, statuses: [CRASHED] }, {}, { total: 0 }],
    ["has completed", { phase: "Succeeded" }, {}, { total: 0 }],
    [
      "has failed and stays down",
      { restartPolicy: "Never", statuses: [aStatus({ state: DOWN })] },
      {},
      { unknown: [{ reason: "stays-down", places: [{}] }] },
    ],
    [
      "has no node",
      {
        nodeName: null,
        phase: "Pending",
        statuses: [],
        conditions: [condition("PodScheduled", "False", { reason: "Unschedulable", message: "0/1 nodes" })],
      },
      {},
      { unknown: [{ reason: "unscheduled", places: [{}] }] },
    ],
    [
      "is on a node that is not ready",
      { statuses: [CRASHED] },
      { node: aNode({ conditions: [condition("Ready", "Unknown")] }) },
      { unknown: [{ reason: "node-not-ready", places: [{}] }] },
    ],
    [
      "is on a node that does not exist",
      { statuses: [CRASHED] },
      { node: null, missing: [{ what: "node", why: "not-found" }] },
      { unknown: [{ reason: "node-not-found", places: [{}] }] },
    ],
    [
      "is being created",
      { phase: "Pending", statuses: [aStatus({ state: waiting("ContainerCreating") })] },
      {},
      { unknown: [{ reason: "starting", places: [{}] }] },
    ],
    [
      "waits for an init container that runs",
      initOf(running(T0_MS)),
      {},
      { unknown: [{ reason: "init-running", places: [{ container: "app" }] }] },
    ],
  ])("counts a container whose pod %s", (_, pod, seen, counts) => {
    expect(of([podWith(pod)], seen)).toMatchObject({ down: [], ...counts });
  });

  it.each(["init", "sidecar"] as const)(
    "ends the window of the app container 2 to 6 s after that of a crash-looping %s container before it",
    (type) => {
      const pod = podWith(initOf(waiting("CrashLoopBackOff"), type));
      const { down, total } = of([pod]);
      const [explained] = explain(observationOf(pod, { atMs: NOW_MS }), {}).pods;
      const first = explained?.containers[0]?.nextRestart?.likelyByMs ?? 0;
      const app = down.find(({ container }) => container === "app");
      expect(total).toBe(type === "init" ? 1 : 2);
      expect(app).toMatchObject({ waitsFor: "first", delayMs: 160 * S });
      expect(app?.nextRestart?.likelyByMs).toBeGreaterThanOrEqual(first + 2 * S);
      expect(app?.nextRestart?.likelyByMs).toBeLessThanOrEqual(first + 6 * S);
    },
  );

  it("names an overdue container, and gives it no window", () => {
    expect(of([looping("late", 40)], {}, EXIT_MS + 600 * S)).toMatchObject({
      down: [],
      overdue: [{ pod: "late", overdue: { expectedByMs: expect.any(Number) } }],
    });
  });

  const pulling = { statuses: [aStatus({ state: waiting("ImagePullBackOff"), containerID: null })], phase: "Pending" };

  it("takes the back-off of an image pull from its events", () => {
    const failed = { type: "Warning", reason: "Failed", message: "Failed to pull image", count: 4 } as const;
    const events = [anEvent({ ...failed, firstAtMs: T0_MS, lastAtMs: EXIT_MS })];
    expect(of([podWith(pulling)], { events }).down).toMatchObject([{ delayMs: 80 * S }]);
  });

  it.each([
    [15, 20],
    [3_600, 300],
  ])("allows for every back-off of a pull without events that a pod of %i s can have: up to %i s", (ageS, mostS) => {
    const { down } = of([podWith({ ...pulling, createdAtMs: NOW_MS - ageS * S, startedAtMs: NOW_MS - ageS * S })]);
    expect(down).toMatchObject([{ delayMs: null, nextRestart: { notBeforeMs: NOW_MS } }]);
    const mostMs = (down[0]?.nextRestart?.likelyByMs ?? 0) - NOW_MS;
    expect(mostMs).toBeGreaterThanOrEqual(mostS * S);
    expect(mostMs).toBeLessThanOrEqual((mostS + 20) * S);
  });

  it("allows for both retry rules if the kubelet's version is unknown, as explain does", () => {
    const windowOf = (seen: Partial<PodObservation>) => of([looping("a", 80)], seen).down[0]?.nextRestart;
    const latestMs = (seen: Partial<PodObservation>) => windowOf(seen)?.likelyByMs ?? 0;
    const unknown = { node: null, kubeletConfig: null };
    const [older, newest] = [latestMs({ node: aNode({ kubeletVersion: "v1.34.4" }) }), latestMs({})];
    expect(latestMs(unknown)).toBeGreaterThan(newest);
    expect(latestMs(unknown)).toBeLessThanOrEqual(older);
    const explained = explainApp(looping("a", 80), { atMs: NOW_MS, ...unknown });
    expect(windowOf(unknown)).toEqual(explained.nextRestart);
  });
});

describe("etaOf()", () => {
  it("counts the containers that are up in quantiles, and not in quantilesOfDown", () => {
    const eta = aHerdEta(NOW_MS);
    expect(eta).toMatchObject({ total: 312, up: 12, pods: 312, overdue: [], unknown: [] });
    expect(eta.quantiles.map(({ count }) => count)).toEqual([156, 281, 297, 312]);
    expect(eta.quantilesOfDown.map(({ count }) => count)).toEqual([150, 270, 285, 300]);
    expect(eta.quantiles[3]?.atMs).toBe(eta.quantilesOfDown[3]?.atMs);
    expect(eta.quantiles[0]?.atMs).toBeLessThanOrEqual(eta.quantilesOfDown[0]?.atMs ?? 0);
    for (const { atMs, likelyByMs } of eta.quantiles) expect(likelyByMs).toBeGreaterThanOrEqual(atMs);
  });

  it("names the node, or else the owner, that the last containers to restart have in common", () => {
    expect(aHerdEta(NOW_MS).bottleneck).toMatchObject({ node: "node-b" });
    const ofOwner = (owner: typeof OWNER, delayS: number) => {
      return Array.from({ length: 20 }, (_, index) => looping(`${owner.name}-${index}`, delayS, { owner }));
    };
    const pods = [...ofOwner(OWNER, 300), ...ofOwner({ ...OWNER, name: "api" }, 80)];
    expect(of(pods).bottleneck).toMatchObject({ owner: { ...OWNER, namespace: "default" } });
    expect(of(ofOwner(OWNER, 300)).bottleneck).toBeNull();
  });

  const withOwner = (owner: PodSnapshot["owner"]) =>
    of([
      looping("slow", 300, { owner }),
      ...Array.from({ length: 9 }, (_, index) => looping(`quick-${index}`, 40, { owner })),
    ]);

  it("suggests no rollout for pods of a StatefulSet", () => {
    const { deletion, rollout } = withOwner({ kind: "StatefulSet", name: "db" }).faster;
    expect(deletion?.pods).toHaveLength(1);
    expect(rollout).toBeNull();
  });

  it("says how soon the others are up if the pod with the longest wait is deleted", () => {
    const { deletion, rollout } = withOwner(OWNER).faster;
    expect(deletion?.pods).toEqual([{ namespace: "default", pod: "slow" }]);
    expect((deletion?.others.likelyByMs ?? 0) - NOW_MS).toBeLessThan(60 * S);
    expect(rollout).toEqual({ containers: 10, owners: [{ ...OWNER, namespace: "default" }] });
  });

  it.each([
    ["a bare pod", null, 0],
    ["a pod of a Job, which counts a deletion as a failure", { kind: "Job", name: "export" }, 0],
    ["a pod of a DaemonSet", { kind: "DaemonSet", name: "agent" }, 1],
    ["a pod of an unknown controller", { kind: "Workflow", name: "w" }, 0],
  ])("suggests to delete %s only if its controller replaces it", (_, owner, count) => {
    expect(withOwner(owner).faster.deletion?.pods ?? []).toHaveLength(count);
  });

  it("suggests nothing if all containers are up soon", () => {
    expect(of([looping("a", 40, { owner: OWNER })]).faster).toEqual({ deletion: null, rollout: null });
  });
});
