import { observationAt } from "../../lab/recordings/recorded-moment.ts";
import { loadRecordingFolder, RECORDINGS } from "../../lab/recordings/recordings.ts";
import { listExamples, observeExample } from "../../src/cluster/files/examples.ts";
import { explain } from "../../src/explain/explain.ts";
import type { Observation } from "../../src/explain/observed/observation.ts";
import { momentsOf, waitsOf } from "../calibration/moments.ts";
import { percentile } from "./contest.ts";

const GOAL_MS = 1;
/** Each example is timed this often, because there are few examples. */
const EXAMPLE_ROUNDS = 100;

export async function replayLines(): Promise<string[]> {
  const examples = await Promise.all(listExamples().map(observeExample));
  const moments = momentsInRecordings();
  const repeated = Array.from({ length: EXAMPLE_ROUNDS }, () => examples).flat();
  const exampleMs = timesOf(repeated);
  const momentMs = timesOf(moments);
  return [
    line(`${examples.length} examples, ${EXAMPLE_ROUNDS} times each`, exampleMs),
    line(`${moments.length} waits of test/fixtures/recordings, once each`, momentMs),
    verdict(percentile([...exampleMs, ...momentMs], 0.5)),
  ];
}

function momentsInRecordings(): Observation[] {
  const moments = loadRecordingFolder(RECORDINGS).flatMap((recording) =>
    waitsOf(recording).flatMap((wait) => momentsOf(wait, []).slice(1, 2)),
  );
  return moments.flatMap(({ wait, atMs }) => observationAt(wait.recording, atMs) ?? []);
}

/** Returns the milliseconds of each explanation. A first round, in which Node.js compiles the code, does not count. */
function timesOf(observations: readonly Observation[]): number[] {
  for (const observation of observations) explain(observation, {});
  return observations.map((observation) => {
    const startedAtMs = performance.now();
    explain(observation, {});
    return performance.now() - startedAtMs;
  });
}

function line(what: string, timesMs: readonly number[]): string {
  const figures = [0.5, 0.99].map((share) => `${percentile(timesMs, share).toFixed(3)} ms`);
  return `  median ${figures[0]}, p99 ${figures[1]}  (${what})`;
}

function verdict(medianMs: number): string {
  return `  The median is ${medianMs < GOAL_MS ? "under" : "not under"} ${GOAL_MS} ms.`;
}
