import { describe, expect, it } from "vitest";
import type { Recorded } from "./recorded.ts";
import { replayableContainers } from "./replayable-containers.ts";
import { isAllowed, type ReplayedWait, replayed } from "./replayed-recording.ts";

const COLLECTED = "node-a/liveness-after-a-while app";

/** By container, the numbers of the starts that no simulation can foresee. */
const UNFORESEEABLE: Readonly<Record<string, readonly number[]>> = {
  /**
   * Inferred: the kubelet's garbage collection removed the record of the exit, because it counts a container that is
   * created but not started as dead (`evictableContainers`, pkg/kubelet/kuberuntime/kuberuntime_gc.go, v1.37.1).
   */
  [COLLECTED]: [6, 7],
  /** Inferred: the kubelet's garbage collection removed the record of the exit. Restart 14 has no lastState. */
  "node-j/liveness-quick-exit app": [14],
  /**
   * Before it starts a sidecar again, the kubelet removes all but its newest exited instance
   * (`pruneInitContainersBeforeStart`, pkg/kubelet/kuberuntime/kuberuntime_container.go, v1.37.1). Inferred: CRI-O
   * 1.34.0 was slow to remove an instance.
   */
  "node-l/sidecar-crashes proxy": [1],
};

const isRight = ({ saidDelayMs, simulatedDelayMs }: ReplayedWait) =>
  saidDelayMs === undefined || saidDelayMs === simulatedDelayMs;
const isWrong = (wait: ReplayedWait) => !wait.isAtEdge && (!isRight(wait) || !isAllowed(wait));

export function describeSimulations(recorded: Recorded): void {
  const containers = replayableContainers(recorded);

  describe("a simulation with the true run lengths of a recorded container", () => {
    it.each(containers)("waits as $name did", (container) => {
      const unforeseeable = UNFORESEEABLE[container.name] ?? [];
      expect(replayed(container).filter(isWrong)).toMatchObject(unforeseeable.map((start) => ({ start })));
    });

    it("compares more than 3,000 waits, and more than 2,900 with the delay that the kubelet named", () => {
      const waits = containers.flatMap(replayed);
      expect(waits.length).toBeGreaterThan(3_000);
      expect(waits.filter(({ saidDelayMs }) => saidDelayMs !== undefined).length).toBeGreaterThan(2_900);
    });

    it("waits as the container did if the kubelet removed the record of its first exit", () => {
      const collected = containers.filter(({ name }) => name === COLLECTED);
      const since = collected.map((container) => ({ ...container, runs: container.runs.slice(1) }));
      expect(since.flatMap(replayed).filter(isWrong)).toEqual([]);
      expect(since).toHaveLength(1);
    });
  });
}
