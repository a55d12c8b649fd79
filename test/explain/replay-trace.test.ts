import { describe, expect, it } from "vitest";
import { toPodSnapshot } from "../../src/cluster/objects/pod.ts";
import { explain } from "../../src/explain/explain.ts";
import type { Observation } from "../../src/explain/observed/observation.ts";
import { type ContainerTrace, traceOf } from "../../src/explain/trace/pod-trace.ts";
import { aContainer, aPod, aStatus, observationOf, T0_MS, terminated } from "../support/builders.ts";
import { at, runsIn, statusOf } from "../support/explain-pod.ts";
import { observationAt, readNodeFiles, readRecording } from "../support/recording.ts";

/** What somebody would have seen who watched the pod until a share of the recording was over. */
function watched(recording: string, share: number): Observation {
  const lines = readRecording(`${recording}.ndjson.gz`);
  const atMs = lines[Math.floor(lines.length * share)]?.atMs ?? 0;
  const observation = observationAt(lines, readNodeFiles(recording.split("/")[0] ?? ""), atMs);
  const pods = observation.pods.map((observed) => {
    const versions = lines
      .filter((line) => line.kind === "Pod" && line.atMs < atMs)
      .map(({ object }) => toPodSnapshot(object));
    return { ...observed, earlier: versions.filter(({ uid }) => uid === observed.pod.uid) };
  });
  return { ...observation, pods };
}

function traced({ pods: [observed], ...now }: Observation): ContainerTrace {
  const container = observed && traceOf(observed, {}, now).containers[0];
  if (container === undefined) throw new Error("nothing was traced");
  return container;
}

const told = ({ wait, delayMs, because, entry, entryDelayMs }: ContainerTrace["exits"][number]): string =>
  `${wait}${wait === "free" ? "" : ` ${(delayMs ?? 0) / 1000}`} ${because}, ${entry} ${(entryDelayMs ?? 0) / 1000}`;

describe("traceOf()", () => {
  it.each([
    {
      recording: "node-a/grow-then-reset",
      from: 4,
      why: "a run of more than ten minutes outlives the entry",
      exits: [
        "delayed 80 entry-in-force, doubled 160",
        "free entry-expired-while-it-ran, initial 10",
        "delayed 10 entry-in-force, doubled 20",
      ],
    },
    {
      recording: "node-a/grow-then-reset",
      from: 18,
      why: "the kubelet restarts",
      exits: ["delayed 300 entry-in-force, held-at-max 300", "forgotten 0 kubelet-restart, initial 10"],
    },
    {
      recording: "node-a/grow-then-reset",
      from: 0,
      why: "the first restart is free",
      exits: ["free no-entry, initial 10", "delayed 10 entry-in-force, doubled 20"],
    },
    {
      recording: "node-a/liveness-ignores-term",
      from: 0,
      why: "a probe kill asks about the exit before",
      exits: [
        "free killed-with-no-exited-instance, none 0",
        "free kill-counts-from-exit-before, initial 10",
        "free kill-counts-from-exit-before, doubled 20",
      ],
    },
    {
      recording: "node-a/image-changed",
      from: 6,
      why: "another image has another entry",
      exits: ["forgotten 0 image-change, initial 10", "delayed 10 entry-in-force, doubled 20"],
    },
  ])("tells of $recording from exit $from: $why", ({ recording, from, exits }) => {
    const { exits: found, beginning } = traced(watched(recording, 0.95));
    expect(beginning).toMatchObject({ start: 0, rules: ["first-run-has-no-entry"] });
    expect(found.slice(from, from + exits.length).map(told)).toEqual(exits);
    expect(found[from]?.start).toBe(from);
  });

  it("tells that the entry was dropped during a wait", () => {
    const { exits } = traced(watched("node-a/grow-then-dropped", 0.5));
    expect(exits.map(({ wait }) => wait)).toContain("dropped");
  });

  it.each(["node-a/grow-then-reset", "node-a/liveness-ignores-term", "node-d/two-crashers", "node-a/sidecar-crashes"])(
    "agrees with the explanation of %s",
    (recording) => {
      const observation = watched(recording, 0.8);
      const [observed] = observation.pods;
      if (observed === undefined) throw new Error("no pod");
      const [pod] = explain(observation, {}).pods;
      const trace = traceOf(observed, {}, observation);
      expect(trace.policy).toEqual(pod?.policy);
      expect(trace.containers.map(({ state }) => state)).toEqual(pod?.containers.map(({ state }) => state));
      for (const [index, { wait, exits }] of trace.containers.entries()) {
        if (wait === null) continue;
        expect(wait.wait.delayMs).toBe(pod?.containers[index]?.delayMs);
        expect(exits.at(-1)).toMatchObject({ entry: "pending", nextStartedAtMs: null, delayMs: wait.wait.delayMs });
      }
    },
  );

  it("says why the window is as sure as it is", () => {
    const lastState = terminated(T0_MS, T0_MS + 5_000, { containerID: "containerd://1" });
    const state = terminated(T0_MS + 30_000, T0_MS + 35_000, { containerID: "containerd://2" });
    const status = aStatus({ restartCount: 4, state, lastState, containerID: "containerd://2" });
    const observation = observationOf(aPod({ statuses: [status], createdAtMs: T0_MS - 600_000 }), {
      atMs: T0_MS + 36_000,
    });
    const { wait } = traced(observation);
    const [explained] = explain(observation, {}).pods[0]?.containers ?? [];
    const { ofSyncs = 0, shorterDelays = 0 } = wait?.confidence ?? {};
    expect(Math.round(ofSyncs * (1 - shorterDelays) * 100) / 100).toBe(explained?.nextRestart?.confidence);
  });

  it("tells the wait that fits the next start where a kill is likely but in doubt", () => {
    const probe = {
      initialDelayMs: 3_000,
      periodMs: 3_000,
      timeoutMs: 1_000,
      failureThreshold: 3,
      gracePeriodMs: null,
    };
    const statuses = [statusOf({ runs: runsIn("900-910 921-"), restarts: 2, exit: { exitCode: 143 } })];
    const pod = aPod({ containers: [aContainer({ livenessProbe: probe })], statuses });
    const { exits } = traced(observationOf(pod, { atMs: at(922) }));
    expect(exits[0]?.cause).toBe("liveness-probe");
    expect(exits.map(told)).toEqual(["delayed 10 entry-in-force, doubled 20"]);
  });

  it("has nothing to tell of a container without a run", () => {
    const observation = observationOf(aPod({ statuses: [] }));
    expect(traced(observation)).toMatchObject({ beginning: null, exits: [], beliefs: [], wait: null });
  });
});
