import { describe, expect, it } from "vitest";
import { recordedContainers } from "./recorded-containers.ts";
import { isAllowed, type ReplayedWait, replayed } from "./replayed-recording.ts";

/** Starts that no simulation can foresee, with what happened on the node. */
const EXCEPTIONS = [
  {
    /**
     * The kubelet's collection of dead containers, once a minute, counts an instance that is created and not started yet as
     * dead: if it comes just then, it keeps that one and removes the record of the exit (`evictableContainers`,
     * pkg/kubelet/kuberuntime/kuberuntime_gc.go, v1.37.1). The next probe kill then finds no exit, and makes no entry.
     */
    name: "node-a/liveness-after-a-while app",
    starts: [6, 7],
    why: "the record of its first exit was collected",
  },
  {
    /** The same on an older kubelet, whose status then has no lastState; the start after it is not simulated. */
    name: "node-j/liveness-quick-exit app",
    starts: [14],
    why: "the status shows that a record was collected",
  },
  {
    /**
     * The kubelet removes the older instance of a sidecar before it starts the next one (`pruneInitContainersBeforeStart`,
     * pkg/kubelet/kuberuntime/kuberuntime_container.go, v1.37.1). CRI-O 1.34.0 finished that removal only when another pod's
     * container had stopped: `RemoveStatsForContainer` (internal/lib/stats/stats_server.go) waits for `ListContainerStats`.
     */
    name: "node-l/sidecar-crashes proxy",
    starts: [1],
    why: "CRI-O held up its start",
  },
];

const recorded = recordedContainers();

const isRight = ({ saidDelayMs, simulatedDelayMs }: ReplayedWait) =>
  saidDelayMs === undefined || saidDelayMs === simulatedDelayMs;
const isWrong = (wait: ReplayedWait) => !wait.isAtEdge && (!isRight(wait) || !isAllowed(wait));

describe("a simulation with the true run lengths of a recorded container", () => {
  it.each(recorded.filter(({ name }) => !EXCEPTIONS.some((other) => other.name === name)))(
    "has the waits of $name",
    (container) => {
      const waits = replayed(container);
      expect(waits.filter(isWrong)).toEqual([]);
      expect(waits.length).toBeGreaterThan(0);
    },
  );

  it("compares thousands of waits, most of them with the delay that the kubelet named", () => {
    const waits = recorded.flatMap(replayed);
    expect(waits.length).toBeGreaterThan(3_000);
    expect(waits.filter(({ saidDelayMs }) => saidDelayMs !== undefined).length).toBeGreaterThan(2_900);
    expect(waits.filter(({ isInterrupted }) => isInterrupted).length).toBeLessThan(150);
  });

  it.each(EXCEPTIONS)("misses the starts $starts of $name: $why", ({ name, starts }) => {
    const waits = recorded.filter((container) => container.name === name).flatMap(replayed);
    expect(waits.filter(isWrong).map(({ start }) => start)).toEqual(starts);
  });

  it("misses none of them once the collected record is taken away", () => {
    const collected = recorded.filter(({ name }) => name === EXCEPTIONS[0]?.name);
    const since = collected.map((container) => ({ ...container, runs: container.runs.slice(1) }));
    expect(since.flatMap(replayed).filter(isWrong)).toEqual([]);
    expect(since).toHaveLength(1);
  });
});
