import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { eventOf, podOf } from "../../lab/recordings/recorded-moment.ts";
import { interventions, RECORDINGS, type RecordedLine } from "../../lab/recordings/recordings.ts";
import { eventSubjectOf } from "../../src/cluster/objects/event.ts";
import type { EventSnapshot, PodObservation, PodSnapshot } from "../../src/explain/observed/observation.ts";
import { observePaths } from "../support/input.ts";
import type { Recorded } from "./recorded.ts";

export function describeObjects({ recordings, known }: Recorded): void {
  it("test/fixtures/recordings contains 263 recordings, and 5 interventions that concern a whole node", () => {
    expect(recordings).toHaveLength(263);
    expect(known.filter(({ pod }) => pod === null)).toHaveLength(5);
    expect(interventions(`${RECORDINGS}/node-a`)).toEqual([]);
  });

  describe("the recorded objects come in order, and have no invalid field", () => {
    it.each(recordings.map(({ node, pod, lines }) => ({ name: `${node}/${pod}`, lines })))("$name", ({ lines }) => {
      expectUsable(lines);
    });

    const nodes = new Map(recordings.map(({ node, nodeEventLines }) => [node, nodeEventLines]));
    it.each([...nodes])("the events of %s", (_, lines) => {
      expectUsable(lines);
    });
  });

  describe("observeFiles() of the folder of all recordings", () => {
    let pods: readonly PodObservation[];
    beforeAll(async () => {
      pods = (await observePaths([RECORDINGS])).observation.pods;
    });

    it("finds one pod per recording", () => {
      expect(pods).toHaveLength(recordings.length);
    });

    it("finds the configuration of each node, except that of node-f", () => {
      expect(pods.flatMap(({ node, kubeletConfig }) => node?.unusable ?? kubeletConfig?.unusable ?? [])).toEqual([]);
      const seen = pods.map((pod) => `${pod.node?.name.at(-1)} ${pod.kubeletConfig?.maxContainerRestartPeriodMs}`);
      // The Node of node-f was recorded without its kind.
      expect([...new Set(seen)].sort().join(", ")).toBe(
        "a 300000, b 60000, c 300000, d null, e null, g null, h 300000, i 300000, j null, k 30000, l 300000, undefined undefined",
      );
    });

    it("puts the history of exit1-after-42s in order, oldest first", () => {
      const crashing = pods.find(({ pod }) => pod.namespace === "dev-a" && pod.name === "exit1-after-42s");
      const counts = crashing?.earlier.map(({ statuses }) => statuses[0]?.restartCount ?? 0) ?? [];
      expect(counts.length).toBeGreaterThan(50);
      expect(counts).toEqual(counts.toSorted((a, b) => a - b));
    });

    it("explains for deleted-and-back the pod that was created after the deletion", () => {
      const back = pods.filter(({ pod }) => pod.name === "deleted-and-back");
      expect(back).toHaveLength(2);
      const recreatedAtMs = known.find(({ pod }) => pod === "deleted-and-back")?.atMs;
      for (const { pod } of back) expect(pod.createdAtMs).toBeGreaterThan(recreatedAtMs ?? Number.POSITIVE_INFINITY);
    });
  });

  it("observeFiles() reads a single recording", async () => {
    const { observation, skipped } = await observePaths([join(RECORDINGS, "node-a/oom.ndjson.gz")]);
    expect(observation).toMatchObject({ atBasis: "local-clock", pods: [{ pod: { name: "oom" } }] });
    expect(skipped).toEqual([]);
  });
}

function expectUsable(lines: readonly RecordedLine[]): void {
  const arrivals = lines.map(({ atMs }) => atMs);
  expect(arrivals).toEqual(arrivals.toSorted((a, b) => a - b));
  expect(lines.flatMap((line, index) => lacks(line).map((what) => `line ${index + 1} has not ${what}`))).toEqual([]);
}

function lacks(line: RecordedLine): string[] {
  const has = line.kind === "Pod" ? podHas(podOf(line)) : eventHas(eventOf(line), eventSubjectOf(line.object).kind);
  return Object.entries(has).flatMap(([what, isThere]) => (isThere ? [] : [what]));
}

function podHas({ unusable, name, uid, createdAtMs, phase, containers, statuses }: PodSnapshot) {
  const names = new Set(containers.map((container) => container.name));
  return {
    "only values that can be used": unusable === undefined,
    "a name": name !== "",
    "a UID": /^[0-9a-f-]{36}$/.test(uid ?? ""),
    "a time of creation": createdAtMs !== null,
    "a phase": phase !== null && phase !== "",
    containers: names.size > 0,
    "a container for each status": statuses.every((status) => names.has(status.name)),
    "a state in each status": statuses.every(({ state }) => state !== null),
  };
}

function eventHas({ unusable, name, reason, firstAtMs, lastAtMs }: EventSnapshot, subject: string | null) {
  return {
    "only values that can be used": unusable === undefined,
    "a name": name !== "",
    "a reason": reason !== "",
    "a first time": firstAtMs !== null,
    "a last time after the first": lastAtMs !== null && lastAtMs >= (firstAtMs ?? Number.POSITIVE_INFINITY),
    "a Pod or a Node that it is about": subject === "Pod" || subject === "Node",
  };
}
