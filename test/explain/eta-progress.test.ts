import { describe, expect, it } from "vitest";
import { awaitedIn, EtaProgress, givesUpAtMs, isAllUp, staysDownIn } from "../../src/explain/follow/eta-progress.ts";
import type { ContainerStatus } from "../../src/explain/observed/observation.ts";
import { aPod, aStatus, running, S, T0_MS, terminated, waiting } from "../support/builders.ts";
import { aLoopingPod, etaOfPods } from "../support/etas.ts";

const NAMES = ["web-0", "web-1", "web-2", "web-3"];
const ETA = etaOfPods(
  NAMES.map((name) => aLoopingPod(name, T0_MS - 20 * S, 40 * S)),
  T0_MS,
);

const podOf = (name: string, status: Partial<ContainerStatus>) => ({
  namespace: "default",
  name,
  statuses: [aStatus(status)],
});

describe("EtaProgress", () => {
  it.each<[string, Partial<ContainerStatus>, { up: number; downAgain: number }]>([
    [
      "still waits",
      { state: waiting("CrashLoopBackOff"), lastState: terminated(T0_MS - 25 * S, T0_MS - 20 * S) },
      { up: 0, downAgain: 0 },
    ],
    ["runs since the estimate", { state: running(T0_MS + 22 * S) }, { up: 1, downAgain: 0 }],
    ["started before its exit, by its status", { state: running(T0_MS - 22 * S) }, { up: 0, downAgain: 0 }],
    ["has run and ended again", { state: terminated(T0_MS + 22 * S, T0_MS + 27 * S) }, { up: 0, downAgain: 1 }],
    [
      "waits again",
      { state: waiting("CrashLoopBackOff"), lastState: terminated(T0_MS + 22 * S, T0_MS + 27 * S) },
      { up: 0, downAgain: 1 },
    ],
  ])("counts a container that %s", (_, status, counts) => {
    const progress = new EtaProgress(ETA);
    progress.record(podOf("web-1", status), T0_MS + 30 * S);
    expect(progress.count(T0_MS + 30 * S)).toMatchObject({ awaited: 4, reached: [], ...counts });
  });

  it("counts a container that exited again as up in its present run", () => {
    const progress = new EtaProgress(ETA);
    const RAN = terminated(T0_MS + 22 * S, T0_MS + 27 * S);
    const upAfter = (state: ContainerStatus["state"], afterS: number) => {
      progress.record(podOf("web-1", { state, lastState: RAN }), T0_MS + afterS * S);
      return progress.count(T0_MS + afterS * S);
    };
    expect(upAfter(running(T0_MS + 22 * S), 23)).toMatchObject({ up: 1 });
    expect(upAfter(waiting("CrashLoopBackOff"), 30)).toMatchObject({ up: 0, downAgain: 1 });
    expect(upAfter(running(T0_MS + 60 * S), 68)).toMatchObject({ up: 1, lastUpAtMs: T0_MS + 60 * S, downAgain: 0 });
  });

  it("has not reached a share with a container that is down again", () => {
    const progress = new EtaProgress(ETA);
    progress.record(podOf("web-1", { state: terminated(T0_MS + 22 * S, T0_MS + 23 * S) }), T0_MS + 23 * S);
    progress.recordUp({ namespace: "default", name: "web-3" }, T0_MS + 25 * S);
    expect(progress.count(T0_MS + 25 * S).reached).toEqual([]);
    progress.recordUp({ namespace: "default", name: "web-0" }, T0_MS + 26 * S);
    expect(progress.count(T0_MS + 26 * S).reached).toMatchObject([{ cameAtMs: T0_MS + 26 * S }]);
  });

  describe("of a container that came up and exited again", () => {
    const RAN = terminated(T0_MS + 22 * S, T0_MS + 27 * S);
    const countAfter = (state: ContainerStatus["state"], atMs: number) => {
      const progress = new EtaProgress(ETA);
      progress.recordUpExcept(new Set(["default/web-1"]), T0_MS + 22 * S);
      progress.record(podOf("web-1", { state: RAN }), T0_MS + 27 * S);
      progress.record(podOf("web-1", { state, lastState: RAN }), atMs);
      return progress.count(atMs);
    };

    it.each([
      { state: waiting("CrashLoopBackOff"), afterS: 60, up: 3, isAll: false, why: "it is down" },
      { state: running(T0_MS + 60 * S), afterS: 61, up: 4, isAll: false, why: "its last run was longer" },
      { state: running(T0_MS + 60 * S), afterS: 68, up: 4, isAll: true, why: "it has outlived its last run" },
    ])("isAllUp() is $isAll after $afterS s, because $why", ({ state, afterS, up, isAll }) => {
      const count = countAfter(state, T0_MS + afterS * S);
      expect(count.up).toBe(up);
      expect(isAllUp(count)).toBe(isAll);
    });

    it("gives up a minute after the last announced time, or after the last start if that came later", () => {
      const endMs = ETA.quantilesOfDown.at(-1)?.likelyByMs ?? 0;
      const count = countAfter(waiting("CrashLoopBackOff"), endMs + 59 * S);
      expect(givesUpAtMs(ETA, count)).toBe(endMs + 60 * S);
      expect(givesUpAtMs(ETA, { ...count, lastUpAtMs: endMs + 5 * S })).toBe(endMs + 65 * S);
      expect(givesUpAtMs(ETA, { ...count, downAgain: 0 })).toBeNull();
    });
  });

  it("has the time at which each announced share was reached", () => {
    const progress = new EtaProgress(ETA);
    progress.record(podOf("web-1", { state: running(T0_MS + 22 * S) }), T0_MS + 23 * S);
    progress.recordUp({ namespace: "default", name: "web-3" }, T0_MS + 25 * S);
    progress.recordUp({ namespace: "default", name: "unknown" }, T0_MS + 25 * S);
    const half = progress.count(T0_MS + 25 * S);
    expect(half.reached).toEqual([{ announced: ETA.quantilesOfDown[0], cameAtMs: T0_MS + 25 * S }]);
    expect(isAllUp(half)).toBe(false);
    progress.recordUpExcept(new Set(["default/web-0"]), T0_MS + 30 * S);
    expect(progress.count(T0_MS + 30 * S)).toMatchObject({ up: 3 });
    progress.recordUp({ namespace: "default", name: "web-0" }, T0_MS + 31 * S);
    expect(isAllUp(progress.count(T0_MS + 31 * S))).toBe(true);
  });

  it("awaits a container without a prediction, too, but not one that stays down", () => {
    const creating = aPod({
      name: "new",
      phase: "Pending",
      statuses: [aStatus({ state: waiting("ContainerCreating") })],
    });
    const failed = {
      restartPolicy: "Never" as const,
      statuses: [aStatus({ state: terminated(T0_MS - 9 * S, T0_MS) })],
    };
    const eta = etaOfPods(
      [aLoopingPod("web-0", T0_MS - 20 * S, 40 * S), creating, aPod({ name: "bad", ...failed })],
      T0_MS,
    );
    expect(awaitedIn(eta).map(({ pod }) => pod)).toEqual(["web-0", "new"]);
    expect(staysDownIn(eta)).toBe(1);
    const progress = new EtaProgress(eta);
    progress.record(podOf("web-0", { state: running(T0_MS + 22 * S) }), T0_MS + 23 * S);
    const [half, all] = [T0_MS - S, T0_MS + 30 * S].map((startedAtMs, index) => {
      if (index === 1) progress.record(podOf("new", { state: running(startedAtMs) }), T0_MS + 31 * S);
      return progress.count(T0_MS + 31 * S);
    });
    expect(half).toMatchObject({ awaited: 2, up: 1, reached: [{ announced: { count: 1 } }] });
    expect(all).toMatchObject({ awaited: 2, up: 2, lastUpAtMs: T0_MS + 30 * S });
    expect(all && isAllUp(all)).toBe(true);
  });

  it("counts a container without a prediction as down when a run ends that began before the prediction", () => {
    const creating = aPod({ phase: "Pending", statuses: [aStatus({ state: waiting("ContainerCreating") })] });
    const eta = etaOfPods([creating], T0_MS);
    const progress = new EtaProgress(eta);
    const RAN = terminated(T0_MS - S, T0_MS + 30 * S);
    const countOf = (status: Partial<ContainerStatus>, afterS: number) => {
      progress.record(podOf("web", status), T0_MS + afterS * S);
      return progress.count(T0_MS + afterS * S);
    };
    expect(countOf({ state: waiting("ContainerCreating") }, 2)).toMatchObject({ up: 0, downAgain: 0 });
    expect(countOf({ state: running(T0_MS - S) }, 3)).toMatchObject({ up: 1, downAgain: 0 });
    expect(countOf({ state: RAN }, 31)).toMatchObject({ up: 0, downAgain: 1 });
    expect(countOf({ state: running(T0_MS + 40 * S), lastState: RAN }, 41)).toMatchObject({ up: 1, downAgain: 1 });
    expect(countOf({ state: running(T0_MS + 40 * S), lastState: RAN }, 75)).toMatchObject({ up: 1, downAgain: 0 });
  });

  it("says how many containers are expected to be up by now", () => {
    const progress = new EtaProgress(ETA);
    expect(progress.count(T0_MS).expectedUp).toBe(0);
    expect(progress.count(T0_MS + 200 * S).expectedUp).toBe(4);
  });
});
