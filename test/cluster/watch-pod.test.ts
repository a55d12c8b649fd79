import { beforeEach, describe, expect, it } from "vitest";
import { failure, LAB_PATHS } from "../../lab/watch/api.ts";
import { PodLab } from "../../lab/watch/pod-lab.ts";
import { S } from "../support/builders.ts";
import { aRawEvent, aRawPod } from "../support/raw-objects.ts";

const { pods: PODS, events: EVENTS, config: CONFIG } = LAB_PATHS;

let lab: PodLab;

beforeEach(() => {
  lab = new PodLab();
});

describe("PodWatch", () => {
  it("reports the pod and its events, but no events of another pod of the same name", async () => {
    lab.put(EVENTS, aRawEvent("mine"));
    lab.put(EVENTS, aRawEvent("of a predecessor", { uid: "another" }));
    lab.watch();
    await lab.timers.pass(1 * S);
    expect(lab.told("pod").at(-1)?.pod).toMatchObject({ name: "web-0", nodeName: "node-a" });
    expect(lab.told("events").at(-1)?.events).toMatchObject([{ name: "mine" }]);
    lab.api.remove(EVENTS, "mine");
    await lab.timers.pass(1 * S);
    expect(lab.told("events").at(-1)?.events).toEqual([]);
  });

  it.each([
    { what: "is deleted", act: () => lab.api.remove(PODS, "web-0"), how: "deleted" },
    { what: "is deleted while the watch is stalled", act: () => unseen(() => {}), how: "deleted" },
    { what: "is replaced while the watch is stalled", act: () => unseen(replace), how: "replaced" },
  ])("ends when the pod $what", async ({ act, how }) => {
    const { ended } = lab.watch();
    await lab.timers.pass(1 * S);
    act();
    await lab.timers.pass(5 * S);
    await ended;
    expect(lab.news.at(-1)).toEqual({ kind: "gone", how });
    expect([lab.api.open, lab.timers.pending]).toEqual([0, 0]);
  });

  function unseen(act: () => void): void {
    lab.api.each((pipe) => pipe.stall());
    lab.api.remove(PODS, "web-0");
    act();
    lab.api.watches.compact();
    lab.api.each((pipe) => pipe.end());
  }

  function replace(): void {
    lab.put(PODS, aRawPod({ metadata: { uid: "another" } }));
  }

  it("reports why the connection is lost, and when it is back", async () => {
    lab.watch();
    await lab.timers.pass(1 * S);
    lab.news.length = 0;
    lab.api.refusal = failure("unreachable", 0);
    lab.api.each((pipe) => pipe.end());
    await lab.timers.pass(20 * S);
    expect(lab.told("connection-changed").at(-1)?.failure?.message).toBe("it was asked to fail as unreachable");
    lab.api.refusal = null;
    await lab.timers.pass(40 * S);
    expect(lab.told("connection-changed").at(-1)?.failure).toBeNull();
  });

  it("reads the node as soon as the pod has one", async () => {
    const unscheduled = aRawPod({ spec: { nodeName: undefined } });
    lab.put(PODS, unscheduled);
    lab.watch(unscheduled);
    await lab.timers.pass(1 * S);
    expect(lab.asked(CONFIG)).toBe(0);
    lab.put(PODS, aRawPod());
    await lab.timers.pass(1 * S);
    expect(lab.told("node").at(-1)?.node.kubeletConfig?.maxContainerRestartPeriodMs).toBe(60_000);
  });

  it("reports the pod without the right to read its events", async () => {
    const connection = lab.api.connection();
    const get: typeof connection.get = async (path, options) => {
      if (path === EVENTS) throw failure("forbidden", 403);
      return connection.get(path, options);
    };
    const { pod } = lab.watch(aRawPod(), { ...connection, get }, "never");
    await lab.timers.pass(60 * S);
    expect(lab.told("pod")).toHaveLength(1);
    expect(lab.told("events")).toEqual([]);
    pod.end();
  });
});

describe("PodWatch with no right but to get the pod", () => {
  function poll() {
    const connection = lab.api.connection();
    const refuse = async (): Promise<never> => {
      throw failure("forbidden", 403);
    };
    const get: typeof connection.get = async (path, options) =>
      path === PODS ? refuse() : connection.get(path, options);
    return lab.watch(aRawPod(), { ...connection, get, stream: refuse }, "never");
  }

  it("reads the pod every few seconds, and reports only changes", async () => {
    poll();
    await lab.timers.pass(60 * S);
    expect(lab.asked(`${PODS}/web-0`)).toBeGreaterThan(9);
    expect(lab.asked(`${PODS}/web-0`)).toBeLessThan(22);
    expect(lab.told("pod")).toHaveLength(1);
    lab.put(PODS, aRawPod());
    await lab.timers.pass(6 * S);
    expect(lab.told("pod")).toHaveLength(2);
  });

  it("ends when the pod is gone", async () => {
    const { ended } = poll();
    await lab.timers.pass(6 * S);
    lab.api.remove(PODS, "web-0");
    await lab.timers.pass(6 * S);
    await ended;
    expect(lab.news.at(-1)).toEqual({ kind: "gone", how: "deleted" });
  });

  it.each([failure("forbidden", 403), failure("unreachable", 0)])("goes on, less often, after %s", async (refusal) => {
    poll();
    await lab.timers.pass(10 * S);
    lab.api.refusal = refusal;
    const before = lab.asked(`${PODS}/web-0`);
    await lab.timers.pass(600 * S);
    expect(lab.asked(`${PODS}/web-0`) - before).toBeLessThan(60);
    expect(lab.told("connection-changed").at(-1)?.failure).toBe(refusal);
    lab.api.refusal = null;
    await lab.timers.pass(60 * S);
    expect(lab.told("connection-changed").at(-1)?.failure).toBeNull();
  });
});
