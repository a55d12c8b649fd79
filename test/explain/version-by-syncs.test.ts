import { describe, expect, it } from "vitest";
import { explain } from "../../src/explain/explain.ts";
import type { PodObservation } from "../../src/explain/observed/observation.ts";
import { versionBySyncs } from "../../src/explain/replay/policy.ts";
import {
  aContainer,
  anEvent,
  aPod,
  aStatus,
  observationOf,
  running,
  T0_MS,
  terminated,
  waiting,
} from "../support/builders.ts";

const EXIT_MS = T0_MS + 600_000;
const ENDED = terminated(EXIT_MS - 5_000, EXIT_MS);
const PROBE = { initialDelayMs: 0, periodMs: 10_000, timeoutMs: 1_000, failureThreshold: 3, gracePeriodMs: null };
const IN_BACKOFF = waiting(
  "CrashLoopBackOff",
  "back-off 1m20s restarting failed container=app pod=web_default(7c8b7f0e)",
);

function seen(status: object, more: Partial<PodObservation> = {}, spec: object = {}): PodObservation {
  const pod = aPod({ containers: [aContainer(spec)], statuses: [aStatus({ restartCount: 5, ...status })] });
  const observed = observationOf(pod, { node: null, kubeletConfig: null, ...more }).pods[0];
  if (observed === undefined) throw new Error("There is a pod.");
  return observed;
}

describe("versionBySyncs()", () => {
  const word = seen({ state: IN_BACKOFF, lastState: ENDED });
  const error = seen({ state: ENDED });
  const often = anEvent({ count: 6, firstAtMs: EXIT_MS, lastAtMs: EXIT_MS + 65_000 });

  it.each([
    {
      observed: word,
      afterMs: 20_000,
      minor: 34,
      why: "a newer one says CrashLoopBackOff after 60 s of a wait of 80 s",
    },
    { observed: word, afterMs: 65_000, minor: null, why: "then any has looked" },
    { observed: error, afterMs: 10_000, minor: null, why: "none has looked yet" },
    { observed: error, afterMs: 25_000, minor: 37, why: "an old one would say CrashLoopBackOff by now" },
    {
      observed: seen({ state: ENDED }, { events: [often] }),
      afterMs: 9_000,
      minor: 34,
      why: "its events are frequent",
    },
    {
      observed: seen({ state: IN_BACKOFF, lastState: ENDED }, {}, { livenessProbe: PROBE }),
      afterMs: 20_000,
      minor: null,
      why: "after a kill the word is there at once",
    },
  ])("takes v1.$minor after $afterMs ms: $why", ({ observed, afterMs, minor }) => {
    const now = { atMs: EXIT_MS + afterMs, atBasis: "server-clock" } as const;
    expect(versionBySyncs(observed, now)?.version.minor ?? null).toBe(minor);
  });

  it("calls nothing too early where now is only the newest timestamp of a file", () => {
    expect(versionBySyncs(word, { atMs: EXIT_MS, atBasis: "newest-input" })).toBeNull();
  });
});

describe("explain() where nothing tells the version", () => {
  const windowOf = (node: PodObservation["node"]) => {
    const pod = aPod({ statuses: [aStatus({ restartCount: 4, state: ENDED })] });
    const observation = observationOf(pod, { atMs: EXIT_MS + 2_000, node, kubeletConfig: null });
    return explain(observation, {}).pods[0]?.containers[0]?.nextRestart ?? null;
  };
  const kubelet = (kubeletVersion: string) => ({ name: "node-a", uid: null, kubeletVersion, conditions: [] });

  it("allows for one that comes back later", () => {
    const [open, elder, newest] = [windowOf(null), windowOf(kubelet("v1.34.4")), windowOf(kubelet("v1.37.1"))];
    expect(elder?.likelyByMs).toBeGreaterThan(newest?.likelyByMs ?? Number.POSITIVE_INFINITY);
    expect(open).toEqual({ ...newest, likelyByMs: elder?.likelyByMs });
  });
});

describe("the gap of a node that cannot be read", () => {
  const MISSING = { missing: [{ what: "node" as const, why: "forbidden" as const }] };
  const often = anEvent({ count: 6, firstAtMs: EXIT_MS - 65_000, lastAtMs: EXIT_MS });
  const gapOf = (observed: PodObservation, atMs: number, options = {}) => {
    const [pod] = explain({ atMs, atBasis: "server-clock", pods: [{ ...observed, ...MISSING }] }, options).pods;
    return pod?.gaps.find(({ code }) => code === "node-forbidden")?.message.replace(/^Not seen: .*?\)\. /, "");
  };
  const ENDED_NOW = { state: ENDED };

  it.each([
    [
      "nothing tells the version",
      seen(ENDED_NOW),
      2_000,
      "No permission to read the node (get nodes); assuming the newest known kubelet, with windows wide enough for v1.34 and older.",
    ],
    [
      "CrashLoopBackOff shows early",
      seen({ state: IN_BACKOFF, lastState: ENDED }),
      20_000,
      "No permission to read the node (get nodes); a newer kubelet would not show CrashLoopBackOff yet, so v1.34 or older is assumed.",
    ],
    [
      "CrashLoopBackOff does not show in time",
      seen(ENDED_NOW),
      25_000,
      "No permission to read the node (get nodes); v1.34 or older would show CrashLoopBackOff by now, so a newer kubelet is assumed.",
    ],
    [
      "BackOff events are frequent",
      seen(ENDED_NOW, { events: [often] }),
      9_000,
      "No permission to read the node (get nodes); BackOff events are too frequent for a newer kubelet, so v1.34 or older is assumed.",
    ],
    [
      "BackOff events were frequent, and it runs",
      seen({ state: running(EXIT_MS), lastState: ENDED }, { events: [often] }),
      9_000,
      "No permission to read the node (get nodes); BackOff events are too frequent for a newer kubelet, so v1.34 or older is assumed.",
    ],
    [
      "nothing restarts",
      seen({ state: running(EXIT_MS) }),
      9_000,
      "No permission to read the node (get nodes); assuming the newest known kubelet.",
    ],
  ])("says what the windows rest on where %s", (_, observed, afterMs, words) => {
    expect(gapOf(observed, EXIT_MS + afterMs)).toBe(words);
  });

  it("takes a container that stays down for no sign of a newer kubelet", () => {
    const never = seen(ENDED_NOW);
    const observed = { ...never, pod: { ...never.pod, restartPolicy: "Never" as const } };
    expect(gapOf(observed, EXIT_MS + 25_000)).toBe(
      "No permission to read the node (get nodes); assuming the newest known kubelet.",
    );
  });

  it("names the version that the user gave instead", () => {
    const words = gapOf(seen(ENDED_NOW), EXIT_MS + 25_000, { kubeletVersion: "v1.33.2" });
    expect(words).toBe("No permission to read the node (get nodes); assuming kubelet v1.33.2.");
  });
});
