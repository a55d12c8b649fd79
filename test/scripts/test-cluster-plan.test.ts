import { describe, expect, it } from "vitest";
import type { RecordedLine } from "../../scripts/recordings.ts";
import { laterAsksAt } from "../../scripts/test-cluster/ask-times.ts";
import { downContainers } from "../../scripts/test-cluster/down.ts";
import { manifestOf, plannedPods } from "../../scripts/test-cluster/manifest.ts";
import { SCENARIOS } from "../../scripts/test-cluster/scenarios.ts";
import { toPodSnapshot } from "../../src/cluster/objects/pod.ts";
import { heldBack, podLine, running, terminated } from "./made-up-recording.ts";

describe("laterAsksAt()", () => {
  it.each([
    {
      window: [80_000, 120_000],
      asks: [30_000, 60_000, 90_000, 120_000],
      why: "shares of the way to its middle, and its end",
    },
    { window: [5_000, 9_000], asks: [2_100, 4_200, 6_300, 9_000], why: "not closer than 2 s" },
    { window: [0, 2_000], asks: [2_000], why: "of a short one only the end" },
    { window: null, asks: [10_000, 30_000, 90_000], why: "without an answer now and then" },
  ])("asks again at $asks of a window $window: $why", ({ window, asks }) => {
    const [notBeforeMs = 0, likelyByMs = 0] = window ?? [];
    expect(laterAsksAt(window && { notBeforeMs, likelyByMs, confidence: 0.95 }, 0)).toEqual(asks);
  });
});

describe("downContainers()", () => {
  const downIn = (line: RecordedLine) => downContainers(toPodSnapshot(line.object));

  it.each([
    { status: terminated("a", 0, 5), exitedId: "a" },
    { status: heldBack("a", 0, 5, "10s"), exitedId: "a" },
  ])("names the exit of $status", ({ status, exitedId }) => {
    expect(downIn(podLine(6, status))).toEqual([{ name: "app", exitedId }]);
  });

  it.each([
    running("b", 6),
    { state: { waiting: { reason: "ContainerCreating" } } },
    { state: { terminated: { exitCode: 137 } } },
    {},
  ])("has nothing to say of %j", (status) => {
    expect(downIn(podLine(6, status))).toEqual([]);
  });
});

describe("the scenarios", () => {
  const pods = plannedPods(SCENARIOS, ["node-a", "node-b"]);

  it("make one pod each on every node, under names that the API accepts", () => {
    expect(new Set(pods.map(({ name }) => name)).size).toBe(SCENARIOS.length * 2);
    for (const { name } of pods) expect(name).toMatch(/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/);
  });

  it("pull nothing, mount what they use, and stay on their node", () => {
    for (const pod of pods) {
      const text = JSON.stringify(manifestOf(pod, "backoff-test"));
      expect(text).toContain(`"nodeName":"${pod.node}"`);
      expect(text.split('"image":').length).toBe(text.split('"imagePullPolicy":"Never"').length);
      expect(text.includes('"volumeMounts"')).toBe(text.includes('"emptyDir"'));
    }
  });
});
