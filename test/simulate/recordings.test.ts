import { describe, expect, it } from "vitest";
import { type RecordedContainer, recordedContainers } from "./recorded-containers.ts";
import { isAllowed, type ReplayedWait, replayed } from "./replayed-recording.ts";

/**
 * The kubelet's collection of dead containers, once a minute, counts an instance that is created and not started yet as dead:
 * if it comes just then, it keeps that one and removes the record of the exit (`evictableContainers`,
 * pkg/kubelet/kuberuntime/kuberuntime_gc.go, v1.37.1). The next probe kill then finds no exit, and makes no entry. Nothing in
 * the API tells of it on ≥ 1.36, so nothing can foresee it.
 */
const COLLECTED = { name: "node-a/liveness-after-a-while app", atStart: 1 };
/** The same on an older kubelet, whose status then has no lastState; the start after it is the one that is not simulated. */
const COLLECTED_AND_SHOWN = { name: "node-j/liveness-quick-exit app", wrong: [14] };
/**
 * The kubelet removes the older instance of a sidecar before it starts the next one (`pruneInitContainersBeforeStart`,
 * pkg/kubelet/kuberuntime/kuberuntime_container.go, v1.37.1). CRI-O 1.34.0 finished that removal only when another pod's container
 * had stopped, after its grace period: `RemoveStatsForContainer` (internal/lib/stats/stats_server.go) waits for `ListContainerStats`,
 * which waits for that container.
 */
const HELD_UP_BY_CRIO = { name: "node-l/sidecar-crashes proxy", late: [1] };
const EXCEPTIONS = [COLLECTED, COLLECTED_AND_SHOWN, HELD_UP_BY_CRIO].map(({ name }) => name);

const recorded = recordedContainers();

const isRight = ({ saidDelayMs, simulatedDelayMs }: ReplayedWait) =>
  saidDelayMs === undefined || saidDelayMs === simulatedDelayMs;
const isWrong = (wait: ReplayedWait) => !wait.isAtEdge && (!isRight(wait) || !isAllowed(wait));

describe("a simulation with the true run lengths of a recorded container", () => {
  it.each(recorded.filter(({ name }) => !EXCEPTIONS.includes(name)))("has the waits of $name", (container) => {
    const waits = replayed(container);
    expect(waits.filter(isWrong)).toEqual([]);
    expect(waits.length).toBeGreaterThan(0);
  });

  it("compares thousands of waits, most of them with the delay that the kubelet named", () => {
    const waits = recorded.flatMap(replayed);
    expect(waits.length).toBeGreaterThan(3_000);
    expect(waits.filter(({ saidDelayMs }) => saidDelayMs !== undefined).length).toBeGreaterThan(2_900);
    expect(waits.filter(({ isInterrupted }) => isInterrupted).length).toBeLessThan(150);
  });
});

it("misses one start where the status shows that the record was collected", () => {
  const container = recorded.find(({ name }) => name === COLLECTED_AND_SHOWN.name);
  const wrong = container === undefined ? [] : replayed(container).filter(isWrong);
  expect(wrong.map(({ start }) => start)).toEqual(COLLECTED_AND_SHOWN.wrong);
});

it("misses one start that CRI-O held up", () => {
  const container = recorded.find(({ name }) => name === HELD_UP_BY_CRIO.name);
  const wrong = container === undefined ? [] : replayed(container).filter(isWrong);
  expect(wrong.map(({ start }) => start)).toEqual(HELD_UP_BY_CRIO.late);
});

describe("a recorded container whose exit record was collected before the next kill", () => {
  const container = recorded.find(({ name }) => name === COLLECTED.name);
  if (container === undefined) throw new Error(`no recording ${COLLECTED.name}`);
  const since: RecordedContainer = { ...container, runs: container.runs.slice(COLLECTED.atStart) };

  it("is one start behind the simulation, from the second kill to the cap", () => {
    expect(
      replayed(container)
        .filter(isWrong)
        .map(({ start }) => start),
    ).toEqual([6, 7]);
  });

  it("has the simulated waits once that record is taken away", () => {
    expect(replayed(since).filter(isWrong)).toEqual([]);
  });

  it("started in the second in which that kubelet collects", () => {
    const startedAtMs = since.runs[0]?.startedAtMs ?? 0;
    const kubeletStartedAtMs = Date.parse("2026-11-21T13:36:14Z");
    expect((startedAtMs - kubeletStartedAtMs) % 60_000).toBeLessThan(2_000);
  });
});
