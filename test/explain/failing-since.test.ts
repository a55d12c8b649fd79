import { describe, expect, it } from "vitest";
import type { FailingSince } from "../../src/explain/answer/explanation.ts";
import { explain } from "../../src/explain/explain.ts";
import type { EventSnapshot, PodSnapshot } from "../../src/explain/observed/observation.ts";
import {
  aContainer,
  anEvent,
  aPod,
  aProbe,
  aStatus,
  observationOf,
  running,
  terminated,
  waiting,
} from "../support/builders.ts";
import { AN_HOUR_ON_MS, down, exited, LOOPING } from "../support/loop-statuses.ts";
import { condition } from "../support/owners.ts";

function sinceOf(pod: Partial<PodSnapshot>, events: readonly EventSnapshot[] = []): FailingSince | null {
  const missing = [{ what: "events", why: "not-asked" } as const];
  const observation = observationOf(aPod(pod), {
    node: null,
    kubeletConfig: null,
    atMs: AN_HOUR_ON_MS,
    missing,
    events,
  });
  return explain(observation, {}).pods[0]?.containers[0]?.failingSince ?? null;
}

describe("failingSince", () => {
  const withReadiness = { containers: [aContainer({ readinessProbe: aProbe() })] };
  it.each<[string, Partial<PodSnapshot>, number]>([
    // The sums are seconds: since the exit, of the last run, of the earlier delays plus the usual lateness of starts,
    // and of the earlier runs.
    ["the observed run and the waits and runs of 4s before it", LOOPING, 60 + 4 + (310 + 50) + 5 * 4],
    [
      "the delay, if there are more restarts than the delay explains",
      down({
        state: waiting("CrashLoopBackOff", "back-off 40s restarting failed container=app pod=web_default(uid)"),
        lastState: exited(1, 20),
        restartCount: 9,
      }),
      20 + 4 + (10 + 20 + 13) + 2 * 4,
    ],
    [
      "the moment from which its readiness probe has failed, also in the runs since then",
      {
        ...LOOPING,
        ...withReadiness,
        conditions: [condition("ContainersReady", "False", { lastTransitionAtMs: AN_HOUR_ON_MS - 1_000_000 })],
      },
      1_000,
    ],
    ["the start of its first run", down({ state: exited(1, 60), restartCount: 0 }), 64],
    [
      "the start of its pod, if one crash loop fills its life",
      { ...LOOPING, startedAtMs: AN_HOUR_ON_MS - 470_000 },
      470,
    ],
    [
      "the start of its pod, if less time has passed than the average waits take",
      { ...LOOPING, startedAtMs: AN_HOUR_ON_MS - 390_000 },
      390,
    ],
    [
      "the end of a run that was long enough for a reset",
      down({ state: terminated(AN_HOUR_ON_MS - 700_000, AN_HOUR_ON_MS - 60_000), restartCount: 6 }),
      60,
    ],
    ["the start of its pod, if it never ran", down({ state: waiting("ImagePullBackOff") }), 3_600],
  ])("is inferred from %s", (_, pod, secondsAgo) => {
    expect(sinceOf(pod)).toEqual({ atMs: AN_HOUR_ON_MS - secondsAgo * 1000, basis: expect.anything() });
  });

  it.each<[string, Partial<PodSnapshot>, number]>([
    ["the maximum", down({ state: exited(1, 60), lastState: exited(1, 60), restartCount: 9 }), 60 + 4 + 310 + 3 * 300],
  ])("is the latest possible time if the delay does not show the beginning: %s", (_, pod, secondsAgo) => {
    expect(sinceOf(pod)).toEqual({ atMs: AN_HOUR_ON_MS - secondsAgo * 1000, basis: "inferred", isUpperBound: true });
  });

  describe("if the delay is the maximum", () => {
    const atTheMaximum = down({ state: exited(1, 60), lastState: exited(1, 60), restartCount: 9 });
    const old = { ...atTheMaximum, startedAtMs: AN_HOUR_ON_MS - 90_000_000 };
    const event = (reason: string, secondsAgo: number) =>
      anEvent({
        reason,
        container: "app",
        count: 9,
        firstAtMs: AN_HOUR_ON_MS - secondsAgo * 1000,
        lastAtMs: AN_HOUR_ON_MS - 60_000,
      });

    it("is the first event of the crash loop", () => {
      const events = [event("BackOff", 1_995), event("Started", 2_000), event("Killing", 5_000)];
      expect(sinceOf(old, events)).toEqual({ atMs: AN_HOUR_ON_MS - 2_000_000, basis: "inferred" });
    });

    it("is the first back-off if the kubelet has created the expired event of the pod's first start again", () => {
      const again = { ...event("Started", 90_000 - 10), createdAtMs: AN_HOUR_ON_MS - 2_000_000 };
      const expected = { atMs: AN_HOUR_ON_MS - 1_995_000, basis: "inferred" };
      expect(sinceOf(old, [event("BackOff", 1_995), again])).toEqual(expected);
    });

    it.each([
      ["an earlier crash loop", { ...event("BackOff", 50_000), createdAtMs: AN_HOUR_ON_MS - 1_995_000 }],
      ["the first start of the pod", event("Started", 90_000 - 10)],
      ["a later restart of the kubelet", event("Started", 200)],
    ])("is not the event of %s", (_, seen) => {
      expect(sinceOf(old, [seen])).toMatchObject({ isUpperBound: true });
    });
  });

  it("is the first event of the crash loop if a probe kill has no delay, and any number of restarts may have been free", () => {
    const killed = terminated(AN_HOUR_ON_MS - 330_000, AN_HOUR_ON_MS - 60_000, { exitCode: 137 });
    const up = aStatus({
      state: running(AN_HOUR_ON_MS - 60_000),
      lastState: killed,
      restartCount: 2,
      containerID: "b",
    });
    const pod = {
      statuses: [up],
      containers: [aContainer({ livenessProbe: aProbe() })],
      startedAtMs: null,
      createdAtMs: null,
    };
    const times = { firstAtMs: AN_HOUR_ON_MS - 770_000, lastAtMs: AN_HOUR_ON_MS - 90_000, count: 2 };
    const kills = anEvent({
      reason: "Killing",
      message: "Container app failed liveness probe, will be restarted",
      ...times,
    });
    const starts = anEvent({ ...{ reason: "Started", message: "", count: 6 }, firstAtMs: AN_HOUR_ON_MS - 1_000_000 });
    expect(sinceOf(pod, [kills, starts])).toEqual({ atMs: AN_HOUR_ON_MS - 1_000_000, basis: "inferred" });
    expect(sinceOf(pod, [kills])).toEqual({ atMs: AN_HOUR_ON_MS - 330_000, basis: "inferred", isUpperBound: true });
  });

  describe("if the pod is young, and its first run may have been long", () => {
    const ranSince = (secondsAgo: number) =>
      terminated(AN_HOUR_ON_MS - secondsAgo * 1_000, AN_HOUR_ON_MS - secondsAgo * 1_000, {
        containerID: `containerd://${secondsAgo}`,
      });
    const young = {
      ...down({ state: ranSince(20), lastState: ranSince(110), restartCount: 5, containerID: "containerd://20" }),
      startedAtMs: AN_HOUR_ON_MS - 320_000,
    };
    const event = (reason: string, secondsAgo: number, message = "") =>
      anEvent({
        ...{ reason, message, container: "app", count: 5 },
        firstAtMs: AN_HOUR_ON_MS - secondsAgo * 1_000,
        lastAtMs: AN_HOUR_ON_MS - 20_000,
      });
    const started = event("Started", 320);

    it.each([
      ["back-off", event("BackOff", 205)],
      ["kill by a probe", event("Killing", 205, "Container app failed liveness probe, will be restarted")],
    ])("is before the first %s", (_, first) => {
      const atMs = AN_HOUR_ON_MS - 205_000;
      expect(sinceOf(young, [started, first])).toEqual({ atMs, basis: "inferred", isUpperBound: true });
    });

    it("is before the first back-off of the container, not of an image pull before its first start", () => {
      const pull = { ...event("BackOff", 318), type: "Normal" as const };
      const atMs = AN_HOUR_ON_MS - 205_000;
      expect(sinceOf(young, [pull, started, event("BackOff", 205)])).toMatchObject({ atMs, isUpperBound: true });
    });

    it("is before the first back-off, also if the kubelet has held back events of starts", () => {
      const few = { ...started, count: 2 };
      const atMs = AN_HOUR_ON_MS - 240_000;
      expect(sinceOf(young, [few, event("BackOff", 240)])).toEqual({ atMs, basis: "inferred", isUpperBound: true });
    });

    it.each([
      ["the back-off began soon after the first start", [started, event("BackOff", 290)]],
      ["the first start came long after the pod's", [event("Started", 240), event("BackOff", 205)]],
      ["the restarts do not fit after the first event", [started, event("BackOff", 170)]],
      [
        "its probe killed it soon after the first start",
        [
          started,
          event("BackOff", 205),
          event("Killing", 300, "Container app failed startup probe, will be restarted"),
        ],
      ],
      ["there are no events", []],
    ])("is the start of the pod if %s", (_, events) => {
      const atMs = AN_HOUR_ON_MS - 320_000;
      expect(sinceOf(young, events)).toEqual({ atMs, basis: "inferred" });
    });
  });

  it.each(["the kubelet's message", "the exits"])(
    "moves by less than 15 s with each crash of a pod that was healthy for a day, by %s",
    (by) => {
      const beganAtMs = AN_HOUR_ON_MS - 1_000_000;
      // Each start comes some seconds after the end of its delay.
      const waitedMs = (restarts: number): number =>
        [0, 10, 20, 40, 80].slice(0, restarts).reduce((sum, s) => sum + s * 1_000 + Math.min(s, 60) * 250 + 4_500, 0);
      const runOf = (start: number) => {
        const startedAtMs = beganAtMs + waitedMs(start);
        return terminated(start === 0 ? beganAtMs - 86_000_000 : startedAtMs, startedAtMs + 4_000, {
          containerID: `containerd://${start}`,
        });
      };
      const since = [2, 3, 4].map((restartCount) => {
        const [last, before] = [runOf(restartCount), runOf(restartCount - 1)];
        const message = `back-off ${["20s", "40s", "1m20s"][restartCount - 2]} restarting failed container=app pod=web_default(uid)`;
        const status = { restartCount, containerID: last.containerID };
        const pod =
          by === "the exits"
            ? down({ ...status, state: last, lastState: before })
            : down({ ...status, state: waiting("CrashLoopBackOff", message), lastState: last });
        return ((sinceOf({ ...pod, startedAtMs: AN_HOUR_ON_MS - 90_000_000 })?.atMs ?? 0) - beganAtMs) / 1_000;
      });
      for (const seconds of since) expect(Math.abs(seconds)).toBeLessThan(15);
    },
  );

  it("does not move with each crash of a pod that has failed since its creation", () => {
    const startedAtMs = AN_HOUR_ON_MS - 3_600_000;
    const since = [1, 2, 3, 4, 5].map((restartCount) => {
      // 14 s are a run of 4 s and a start that comes 10 s after the end of the delay.
      const waitedMs = [0, 10, 20, 40, 80, 160].slice(0, restartCount).reduce((sum, s) => sum + s * 1_000 + 14_000, 0);
      const last = terminated(startedAtMs + waitedMs, startedAtMs + waitedMs + 4_000);
      return sinceOf({ ...down({ state: last, lastState: last, restartCount }), startedAtMs })?.atMs;
    });
    expect(new Set(since)).toEqual(new Set([startedAtMs]));
  });
});
