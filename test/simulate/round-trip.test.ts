import { describe, expect, it } from "vitest";
import { explain } from "../../src/explain/explain.ts";
import type { PodSnapshot, TerminatedState } from "../../src/explain/observed/observation.ts";
import { floorToSecond } from "../../src/kubelet/go-duration.ts";
import { simulate } from "../../src/simulate/simulate.ts";
import type { SimulatedStart } from "../../src/simulate/walk.ts";
import { aNode, aPod, aStatus, observationOf, running, T0_MS, terminated, waiting } from "../support/builders.ts";
import { exits, planOf, policyOf } from "./plans.ts";

const VERSIONS = ["v1.34.4", "v1.37.1"];
const LENGTHS = [1, 5, 42, 90, 240];
const SEEDS = 6;

function toSecond(ms: number): number {
  return floorToSecond(T0_MS + ms);
}

function recordOf({ start, startedMs, finishedMs }: SimulatedStart): TerminatedState {
  return terminated(toSecond(startedMs), toSecond(finishedMs), { containerID: `containerd://${start}` });
}

function podAfter(run: SimulatedStart, before: SimulatedStart | undefined, atMs: number): PodSnapshot {
  const isShown = run.crashLoopBackOff !== null && atMs >= run.crashLoopBackOff.fromMs;
  const record = recordOf(run);
  const earlier = before === undefined ? null : recordOf(before);
  const states = isShown
    ? { state: waiting("CrashLoopBackOff"), lastState: record }
    : { state: record, lastState: earlier };
  const status = aStatus({ ...states, restartCount: run.start, containerID: `containerd://${run.start}` });
  return aPod({ statuses: [status] });
}

function seenBy(version: string, pod: PodSnapshot, atMs: number, earlier: readonly PodSnapshot[] = []) {
  const node = aNode({ kubeletVersion: version });
  const kubeletConfig = { maxContainerRestartPeriodMs: null, featureGates: {}, syncFrequencyMs: null };
  const observation = observationOf(pod, { atMs: T0_MS + atMs, node, kubeletConfig, earlier });
  return explain(observation, {}).pods[0]?.containers[0];
}

const CASES = VERSIONS.flatMap((version) => LENGTHS.map((seconds) => ({ version, seconds })));

describe("a simulated pod that is observed and explained", () => {
  it.each(CASES)(
    "has the simulated delay (98 %), and a window that contains the next start (93 %): runs of $seconds s on $version",
    ({ version, seconds }) => {
      const judged = Array.from({ length: SEEDS }, (_, seed) => seed).flatMap((seed) => {
        const { starts } = simulate(planOf(policyOf(version), exits(seconds), seed), { restarts: 10 });
        return starts.slice(1).map((run, index) => {
          const nextMs = run.nextStartedMs ?? 0;
          const atMs = run.finishedMs + (nextMs - run.finishedMs) / 2;
          const said = seenBy(version, podAfter(run, starts[index], atMs), atMs);
          const { notBeforeMs = 0, likelyByMs = 0 } = said?.nextRestart ?? {};
          const isInside = toSecond(nextMs) >= notBeforeMs - 1_500 && toSecond(nextMs) <= likelyByMs + 1_500;
          return { isRight: said?.delayMs === run.wait?.delayMs, isInside };
        });
      });
      const share = (count: number) => count / judged.length;
      expect(share(judged.filter(({ isRight }) => isRight).length)).toBeGreaterThanOrEqual(0.98);
      expect(share(judged.filter(({ isInside }) => isInside).length)).toBeGreaterThanOrEqual(0.93);
    },
  );

  it.each(VERSIONS)("has its simulated history if it was watched from the beginning, on %s", (version) => {
    const { starts } = simulate(planOf(policyOf(version), exits(5, 20, 1, 60), 4), { restarts: 8 });
    const versions = starts.map((run, index) => podAfter(run, starts[index - 1], run.finishedMs));
    const last = starts.at(-1) as SimulatedStart;
    const up = aStatus({
      state: running(toSecond(last.nextStartedMs ?? 0)),
      lastState: recordOf(last),
      restartCount: last.start + 1,
      containerID: `containerd://${last.start + 1}`,
    });
    const said = seenBy(version, aPod({ statuses: [up] }), (last.nextStartedMs ?? 0) + 1_000, versions);
    const finished = said?.history.slice(0, -1).map(({ start, startedAtMs, finishedAtMs, waitedMs }) => {
      return { start, startedAtMs, finishedAtMs, waitedMs };
    });
    expect(finished).toEqual(
      starts.map(({ start, startedMs, finishedMs, nextStartedMs }) => {
        const [startedAtMs, finishedAtMs] = [toSecond(startedMs), toSecond(finishedMs)];
        return { start, startedAtMs, finishedAtMs, waitedMs: toSecond(nextStartedMs ?? 0) - finishedAtMs };
      }),
    );
    expect(said?.delayMs).toBe(300_000);
  });
});
