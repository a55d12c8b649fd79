import { describe, expect, it } from "vitest";
import { recordingOf } from "../../lab/recordings/recordings.ts";
import { toPodSnapshot } from "../../src/cluster/objects/pod.ts";
import { withEvents, withNode, withPod } from "../../src/explain/follow/watch-history.ts";
import { observedRuns } from "../../src/explain/history/runs.ts";
import type { PodObservation, PodSnapshot } from "../../src/explain/observed/observation.ts";
import { aNode, anEvent, aPod, aStatus, observationOf, running, T0_MS, terminated } from "../support/builders.ts";

function observedAll(versions: readonly PodSnapshot[]): PodObservation {
  const [first = aPod(), ...rest] = versions;
  const observed = observationOf(first).pods[0];
  if (observed === undefined) throw new Error("no pod");
  return rest.reduce(withPod, observed);
}

describe("withPod()", () => {
  it.each([
    "node-a/exit1-after-5s",
    "node-a/two-crashers",
    "node-a/init-crashes",
    "node-b/exit1-after-12s",
    "node-d/exit1-after-42s",
  ])("keeps every observed run of %s, with fewer versions than runs", (path) => {
    const lines = recordingOf(path).lines.filter(({ kind }) => kind === "Pod");
    const versions = lines.map(({ object }) => toPodSnapshot(object));
    const { pod, earlier } = observedAll(versions);
    let count = 0;
    for (const { name } of pod.containers) {
      const runs = observedRuns(name, [...earlier, pod]);
      expect(runs).toEqual(observedRuns(name, versions));
      count += runs.length;
    }
    expect(count).toBeGreaterThan(5);
    expect(earlier.length).toBeLessThan(count);
  });

  it("drops versions that show no run of their own", () => {
    const { earlier } = observedAll([aPod(), aPod({ phase: "Pending" }), aPod()]);
    expect(earlier).toEqual([]);
  });

  it("keeps the newest 100 of 2,000 versions, so that a quick loop does not fill the memory", () => {
    const versions = Array.from({ length: 2_000 }, (_, restartCount) => {
      const startedAtMs = T0_MS + restartCount * 3_000;
      const containerID = `containerd://${restartCount}`;
      return aPod({ statuses: [aStatus({ restartCount, containerID, state: running(startedAtMs) })] });
    });
    const { pod, earlier } = observedAll(versions);
    expect(earlier).toHaveLength(100);
    expect(observedRuns("app", [...earlier, pod]).map(({ start }) => start)).toEqual(
      Array.from({ length: 101 }, (_, index) => 1_899 + index),
    );
  });

  it("keeps only the condition that shows when all containers restarted", () => {
    const [ready, allRestarted] = ["Ready", "AllContainersRestarting"].map((type) => {
      return { type, status: "False", reason: null, message: null, lastTransitionAtMs: T0_MS } as const;
    });
    const conditions = [ready, allRestarted].filter((one) => one !== undefined);
    const next = aPod({ statuses: [aStatus({ restartCount: 1, containerID: "containerd://1" })] });
    expect(observedAll([aPod({ conditions }), next]).earlier[0]?.conditions).toEqual([allRestarted]);
  });

  it("shares the containers between versions of one generation", () => {
    const ended = { statuses: [aStatus({ state: terminated(T0_MS, T0_MS + 5_000) })] };
    const next = aPod({ statuses: [aStatus({ restartCount: 1, containerID: "containerd://1" })] });
    const { earlier } = observedAll([aPod(ended), next]);
    expect(earlier[0]?.containers).toBe(next.containers);
    expect(observedAll([aPod({ ...ended, generation: 0 }), next]).earlier[0]?.containers).not.toBe(next.containers);
  });
});

describe("withEvents() and withNode()", () => {
  const missing = [
    { what: "events", why: "timeout" },
    { what: "node-config", why: "timeout" },
  ] as const;
  const before: PodObservation = { ...observedAll([aPod()]), node: null, kubeletConfig: null, missing };

  it("replace the events or the node, and remove them from `missing`", () => {
    const events = [anEvent()];
    expect(withEvents(before, events)).toEqual({ ...before, events, missing: [missing[1]] });
    const node = { node: aNode(), nodeEvents: [], kubeletConfig: null, missing: [] };
    expect(withNode(before, node)).toEqual({ ...before, ...node, missing: [missing[0]] });
  });
});
