import { describe, expect, it } from "vitest";
import { EtaProgress, isAllUp } from "../../src/explain/follow/eta-progress.ts";
import type { ContainerStatus } from "../../src/explain/observed/observation.ts";
import { aStatus, running, T0_MS, terminated, waiting } from "../support/builders.ts";
import { aLoopingPod, etaOfPods } from "../support/etas.ts";

const S = 1_000;
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
    ["runs since", { state: running(T0_MS + 22 * S) }, { up: 1, downAgain: 0 }],
    ["runs since before, as it seems", { state: running(T0_MS - 22 * S) }, { up: 0, downAgain: 0 }],
    ["has run and ended again", { state: terminated(T0_MS + 22 * S, T0_MS + 27 * S) }, { up: 1, downAgain: 1 }],
    [
      "waits again",
      { state: waiting("CrashLoopBackOff"), lastState: terminated(T0_MS + 22 * S, T0_MS + 27 * S) },
      { up: 1, downAgain: 1 },
    ],
  ])("counts a container that %s", (_, status, counts) => {
    const progress = new EtaProgress(ETA);
    progress.take(podOf("web-1", status), T0_MS + 30 * S);
    expect(progress.count(T0_MS + 30 * S)).toMatchObject({ announced: 4, reached: [], ...counts });
  });

  it("compares each share that has come with its announcement", () => {
    const progress = new EtaProgress(ETA);
    progress.take(podOf("web-1", { state: running(T0_MS + 22 * S) }), T0_MS + 23 * S);
    progress.up({ namespace: "default", name: "web-3" }, T0_MS + 25 * S);
    progress.up({ namespace: "default", name: "unknown" }, T0_MS + 25 * S);
    const half = progress.count(T0_MS + 25 * S);
    expect(half.reached).toEqual([{ announced: ETA.quantilesOfDown[0], cameAtMs: T0_MS + 25 * S }]);
    expect(isAllUp(half)).toBe(false);
    progress.settle(new Set(["default/web-0"]), T0_MS + 30 * S);
    expect(progress.count(T0_MS + 30 * S)).toMatchObject({ up: 3 });
    progress.up({ namespace: "default", name: "web-0" }, T0_MS + 31 * S);
    expect(isAllUp(progress.count(T0_MS + 31 * S))).toBe(true);
  });

  it("says how many were announced by now", () => {
    const progress = new EtaProgress(ETA);
    expect(progress.count(T0_MS).expected).toBe(0);
    expect(progress.count(T0_MS + 200 * S).expected).toBe(4);
  });
});
