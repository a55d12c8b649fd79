import { describe, expect, it } from "vitest";
import { explain } from "../../src/explain/explain.ts";
import type { AtBasis, ContainerStatus, PodSnapshot } from "../../src/explain/observed/observation.ts";
import { aContainer, aPod, aStatus, observationOf, running, T0_MS, terminated } from "../support/builders.ts";

const S = 1_000;
const HOUR_S = 3_600;

/** A status whose last run lasted `ranS` and ended a day after the pod's creation; it is up again, or not. */
function lastRan(ranS: number, restartCount: number, more: Partial<ContainerStatus> = {}): ContainerStatus {
  const exit = terminated(T0_MS + (24 * HOUR_S - ranS) * S, T0_MS + 24 * HOUR_S * S, { containerID: "containerd://a" });
  const up = running(T0_MS + (24 * HOUR_S + 1) * S);
  return aStatus({ state: up, lastState: exit, restartCount, containerID: "containerd://b", ...more });
}

function explained(pod: Partial<PodSnapshot>, atS: number, atBasis: AtBasis = "server-clock") {
  const observation = { ...observationOf(aPod(pod), { atMs: T0_MS + atS * S }), atBasis };
  const [first] = explain(observation, {}).pods;
  if (first === undefined) throw new Error("There is a pod.");
  return first;
}

const JUST_UP_S = 24 * HOUR_S + 2;
const GONE = { lastState: null } as const;

describe("the verdict crash-looping", () => {
  it.each<{ why: string; status: ContainerStatus; atS?: number; verdict: string; summary?: string }>([
    { why: "its last runs were short", status: lastRan(42, 2), verdict: "crash-looping" },
    { why: "it has run for 10 minutes since", status: lastRan(42, 2), atS: 24 * HOUR_S + 601, verdict: "running" },
    {
      why: "one exit and its free restart",
      status: lastRan(42, 1),
      verdict: "running",
      summary: "app runs after one restart in 24h; it last exited with code 1 after 42s.",
    },
    {
      why: "it exited after 12 hours of health",
      status: lastRan(12 * HOUR_S, 2),
      verdict: "running",
      summary: "app runs after 2 restarts in 24h; it last exited with code 1 after 12h.",
    },
    {
      why: "it is down after 12 hours of health",
      status: aStatus({ state: terminated(T0_MS + 12 * HOUR_S * S, T0_MS + JUST_UP_S * S), restartCount: 2 }),
      verdict: "running",
      summary: "app has exited with code 1 after 12h and restarts; that is not a crash loop.",
    },
    { why: "its last run was just shorter than the reset takes", status: lastRan(599, 2), verdict: "crash-looping" },
    { why: "its last run was as long as the reset takes", status: lastRan(600, 2), verdict: "running" },
    {
      why: "no record is left, and it restarts every 15 minutes at most",
      status: lastRan(0, 96, GONE),
      verdict: "running",
    },
    { why: "no record is left, and it restarts more often", status: lastRan(0, 97, GONE), verdict: "crash-looping" },
    {
      why: "the record is made up, and it restarts more often",
      status: lastRan(0, 97, {
        lastState: terminated(null, null, { reason: "ContainerStatusUnknown", exitCode: 137 }),
      }),
      verdict: "crash-looping",
    },
  ])("$why: $verdict", ({ status, atS = JUST_UP_S, verdict, summary }) => {
    const pod = explained({ statuses: [status] }, atS);
    expect(pod.verdict).toBe(verdict);
    if (summary !== undefined) expect(pod.summary).toBe(summary);
  });

  it("is about the container that loops, whatever its siblings have behind them", () => {
    const containers = [aContainer({ name: "steady" }), aContainer()];
    const statuses = [{ ...lastRan(12 * HOUR_S, 9), name: "steady" }, lastRan(42, 2)];
    const { verdict, summary } = explained({ containers, statuses }, JUST_UP_S);
    expect(verdict).toBe("crash-looping");
    expect(summary).toMatch(/^app is crash-looping but running right now/);
  });

  it.each<{ atBasis: AtBasis; codes: string[] }>([
    { atBasis: "newest-input", codes: ["age-unknown"] },
    { atBasis: "flag", codes: [] },
    { atBasis: "local-clock", codes: [] },
  ])("of a container that runs is open where now is the $atBasis: $codes", ({ atBasis, codes }) => {
    expect(explained({ statuses: [lastRan(42, 2)] }, JUST_UP_S, atBasis).gaps.map(({ code }) => code)).toEqual(codes);
  });
});

describe("a deleted pod", () => {
  it("names the finalizers that keep it", () => {
    const pod = { deletionAtMs: T0_MS, finalizers: ["example.com/hold", "example.com/log"] };
    expect(explained(pod, 60).summary).toBe(
      "The pod is being deleted; its containers will not restart. It stays until its finalizers are removed: example.com/hold, example.com/log.",
    );
  });
});

describe("a pod whose spec was cut", () => {
  it("is explained by its status, with a gap", () => {
    const listed = aContainer({ isFromStatus: true });
    const exit = terminated(T0_MS + 50 * S, T0_MS + 60 * S);
    const pod = explained(
      { nodeName: null, containers: [listed], statuses: [aStatus({ state: exit, restartCount: 3 })] },
      61,
    );
    expect(pod.verdict).toBe("crash-looping");
    expect(pod.containers[0]?.nextRestart).not.toBeNull();
    expect(pod.gaps).toEqual([
      {
        code: "spec-incomplete",
        message:
          "The pod's spec lacks the containers app and the node. They are taken from the status; restartPolicy Always and no probes are assumed.",
      },
    ]);
  });

  it("misses only the name of its node where the spec lists all containers", () => {
    const pod = explained({ nodeName: null }, 61);
    expect(pod.gaps.map(({ message }) => message)).toEqual([
      "The pod's spec lacks the node. Which node it is on is unknown.",
    ]);
  });
});
