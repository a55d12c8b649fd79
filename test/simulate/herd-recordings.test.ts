import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { HERD_RULES, replicaStarts } from "../../src/simulate/herd.ts";
import { seededRandom } from "../../src/simulate/seeded-random.ts";
import { repositoryFile } from "../support/command.ts";

const RUN_MS = 5_000;
/** node-a and node-d restart their kubelets after the sixteenth wait. */
const WAITS = 16;
/** Timestamps are truncated to a second; and a start takes a while, which the simulation leaves out. */
const [EARLY_MS, LATE_MS] = [1_000, 3_000];

/** The waits of a recorded pod that exits after 5 s, from each exit to the next start. */
function recordedWaitsMs(node: string): number[] {
  const file = repositoryFile(`test/fixtures/recordings/${node}/exit1-after-5s.ndjson.gz`);
  const runs = new Map<string, { startedAtMs: number; finishedAtMs: number }>();
  for (const line of gunzipSync(readFileSync(file)).toString("utf8").trim().split("\n")) {
    const [status] = JSON.parse(line).object.status?.containerStatuses ?? [];
    for (const ended of [status?.lastState?.terminated, status?.state?.terminated]) {
      if (ended?.containerID === undefined) continue;
      const { startedAt, finishedAt, containerID } = ended;
      runs.set(containerID, { startedAtMs: Date.parse(startedAt), finishedAtMs: Date.parse(finishedAt) });
    }
  }
  const ordered = [...runs.values()].sort((one, other) => one.startedAtMs - other.startedAtMs);
  return ordered.slice(1).map(({ startedAtMs }, index) => startedAtMs - (ordered[index]?.finishedAtMs ?? 0));
}

/** The shortest and the longest of each wait, over many simulated replicas. */
function simulatedWaits(rule: string): { leastMs: number; mostMs: number }[] {
  const policy = HERD_RULES.find(({ name }) => name === rule)?.policy;
  if (policy === undefined) throw new Error(`There is no rule ${rule}.`);
  const random = seededRandom(1);
  const waits = Array.from({ length: WAITS }, () => ({ leastMs: Number.POSITIVE_INFINITY, mostMs: 0 }));
  for (let replica = 0; replica < 1_000; replica++) {
    const starts = replicaStarts({ outageMs: 5_400_000, runMs: RUN_MS }, policy, random);
    for (const [index, wait] of waits.entries()) {
      const waitMs = (starts[index] ?? 0) - (index === 0 ? 0 : (starts[index - 1] ?? 0) + RUN_MS);
      wait.leastMs = Math.min(wait.leastMs, waitMs);
      wait.mostMs = Math.max(wait.mostMs, waitMs);
    }
  }
  return waits;
}

describe("replicaStarts()", () => {
  it.each([
    { node: "node-a", rule: "v1.35+" },
    { node: "node-b", rule: "max=60s" },
    { node: "node-c", rule: "reduced" },
    { node: "node-d", rule: "v1.34" },
  ])("waits as $node was recorded to, under $rule", ({ node, rule }) => {
    const recorded = recordedWaitsMs(node).slice(0, WAITS);
    const simulated = simulatedWaits(rule);
    expect(recorded).toHaveLength(WAITS);
    const strange = recorded.filter((waitMs, index) => {
      const { leastMs = 0, mostMs = 0 } = simulated[index] ?? {};
      return waitMs < leastMs - EARLY_MS || waitMs > mostMs + LATE_MS;
    });
    expect(strange).toEqual([]);
  });
});
