import { expect, it } from "vitest";
import { observationAt } from "../../lab/recordings/recorded-moment.ts";
import { interventions, loadRecordingFolder, RECORDINGS, type Recording } from "../../lab/recordings/recordings.ts";
import { type Instance, recordedContainersOf } from "../../scripts/calibration/instances.ts";
import { etaPart } from "../../src/explain/eta/parts.ts";
import { StartDistribution } from "../../src/kubelet/start-distribution.ts";
import { S } from "../support/builders.ts";

const CRASHING = ["exit1-after-0s", "exit1-after-5s", "exit1-after-12s", "exit1-after-90s", "onfailure-exit1", "db-0"];
const KILLED = ["liveness-ignores-term", "liveness-quick-exit", "liveness-after-a-while", "startup-probe-fails"];
const INTERVENTIONS = interventions(RECORDINGS);

function ranMs({ startedAtMs, finishedAtMs }: Instance): number | null {
  return startedAtMs === null || finishedAtMs === null ? null : finishedAtMs - startedAtMs;
}

function keptWindows(recording: Recording): boolean[] {
  return recordedContainersOf(recording).flatMap(({ name, instances }) =>
    instances.flatMap((exited, index): boolean[] => {
      const [next, second] = [instances[index + 1], instances[index + 2]];
      const [nextMs, secondMs] = [next?.startedAtMs ?? null, second?.startedAtMs ?? null];
      const { exitSeenAtMs } = exited;
      if (next === undefined || nextMs === null || secondMs === null || exitSeenAtMs === null) return [];
      const areAlike = Math.abs((ranMs(exited) ?? -S) - (ranMs(next) ?? S)) < 2 * S;
      const isDisturbed = INTERVENTIONS.some(
        ({ node, pod, atMs }) =>
          node === recording.node &&
          (pod === null || pod === recording.pod) &&
          atMs > exitSeenAtMs - 120 * S &&
          atMs < secondMs + S,
      );
      const observation = observationAt(recording, exitSeenAtMs + 0.3 * (nextMs - exitSeenAtMs));
      if (!areAlike || isDisturbed || nextMs - exitSeenAtMs < 3 * S || observation === null) return [];
      const found = etaPart(observation, {}).down.find(({ container }) => container.container === name);
      if (found === undefined || found.restarts === null) return [];
      const starts = StartDistribution.evenly(nextMs, nextMs + S);
      const needed = StartDistribution.evenly(nextMs + 2 * S, nextMs + 3 * S);
      const upAgain = starts.firstAfter(needed, found.restarts);
      // The API cuts the time of the start to whole seconds: the real start may be up to a second later.
      return [secondMs + S > upAgain.quantile(0.001) && secondMs <= upAgain.quantile(0.95)];
    }),
  );
}

it.each([
  ["that exit by themselves", CRASHING, 800],
  ["that a probe kills", KILLED, 250],
])("predicts the restart after the next one of containers %s, in 95 % of the cases or more", (_, pods, least) => {
  const kept = loadRecordingFolder(RECORDINGS, (pod) => pods.includes(pod)).flatMap(keptWindows);
  expect(kept.length).toBeGreaterThan(least);
  expect(kept.filter(Boolean).length / kept.length).toBeGreaterThanOrEqual(0.95);
});
