import { describe, expect, it } from "vitest";
import { explain } from "../../src/explain/explain.ts";
import type { PodObservation } from "../../src/explain/observed/observation.ts";
import { anEvent, aPod, observationOf, T0_MS } from "../support/builders.ts";
import { explainPod } from "../support/explain-pod.ts";

function reasons(seen: Partial<PodObservation>): string[] {
  const [pod] = explain(observationOf(aPod(), { atMs: T0_MS + 60_000, ...seen }), {}).pods;
  return (pod?.events ?? []).map(({ regarding, reason }) => `${regarding} ${reason}`);
}

describe("the events of an explanation", () => {
  const event = (reason: string, second: number, more = {}) =>
    anEvent({ reason, firstAtMs: T0_MS + second * 1000, ...more });

  it("are the pod's warnings and its node's events, newest first", () => {
    const events = [event("BackOff", 10), event("Started", 30, { type: "Normal" }), event("Unhealthy", 20)];
    const nodeEvents = [
      event("SystemOOM", 15),
      event("NodeNotReady", 5, { type: "Normal" }),
      event("Starting", 40, { type: "Normal" }),
      event("CheckLimitsForResolvConf", 41),
    ];
    expect(reasons({ events, nodeEvents })).toEqual([
      "Pod Unhealthy",
      "Node SystemOOM",
      "Pod BackOff",
      "Node NodeNotReady",
    ]);
  });

  it("are at most ten, without node events from before the pod", () => {
    const events = Array.from({ length: 12 }, (_, index) => event(`R${index}`, index));
    const shown = reasons({ events, nodeEvents: [event("SystemOOM", -5)] });
    expect(shown).toEqual([11, 10, 9, 8, 7, 6, 5, 4, 3, 2].map((index) => `Pod R${index}`));
  });

  it("have message, container, count, first and last time from the API", () => {
    const [pod] = explain(
      observationOf(aPod(), { events: [event("BackOff", 1, { count: 4, lastAtMs: T0_MS + 9_000 })] }),
      {},
    ).pods;
    expect(pod?.events).toEqual([
      {
        regarding: "Pod",
        reason: "BackOff",
        message: "Back-off restarting failed container app in pod web_default",
        container: "app",
        count: 4,
        firstAtMs: T0_MS + 1000,
        lastAtMs: T0_MS + 9000,
      },
    ]);
  });

  it.each([
    { count: 24, isLowerBound: undefined, why: "the count is exact" },
    {
      count: 26,
      isLowerBound: true,
      why: "the count is a minimum, because after 25 the kubelet sends one in five minutes",
    },
  ])("have a count of $count: $why", ({ count, isLowerBound }) => {
    const events = [anEvent({ reason: "Failed", count })];
    const [pod] = explain(observationOf(aPod(), { atMs: T0_MS + 60_000, events }), {}).pods;
    expect(pod?.events?.[0]?.isLowerBound).toBe(isLowerBound);
  });

  it("are left out if there are none", () => {
    expect(explain(observationOf(aPod()), {}).pods[0]).not.toHaveProperty("events");
  });
});

describe("why a pod has failed", () => {
  it.each([
    { reason: "Evicted", message: "The node was low on memory.", ending: ["Evicted", "The node was low on memory"] },
    { reason: null, message: "The node was drained.", ending: ["", "The node was drained"] },
    { reason: "NodeLost", message: null, ending: ["NodeLost", ""] },
    { reason: null, message: "", ending: null },
  ])("is what its status says: $ending", ({ ending, ...status }) => {
    const { ending: said = null } = explainPod({ phase: "Failed", ...status }, { atMs: T0_MS });
    expect(said === null ? null : [said.reason, said.message]).toEqual(ending);
  });
});
