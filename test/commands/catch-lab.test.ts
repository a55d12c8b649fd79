import { describe, expect, it } from "vitest";
import { failure, LAB_PATHS } from "../../lab/watch/api.ts";
import { CrashLoop } from "../../lab/watch/crash-loop.ts";
import { firstOf, PodLab } from "../../lab/watch/pod-lab.ts";
import { type Caught, RunCatcher } from "../../src/commands/catch/catch-run.ts";
import { MINUTE_MS } from "../../src/kubelet/go-duration.ts";
import { S } from "../support/builders.ts";

const MIB = 2 ** 20;

async function caughtIn(
  runMs: number,
  seed: number,
  trouble: (lab: PodLab) => void = () => {},
  afterMs = 4 * MINUTE_MS,
) {
  const lab = new PodLab(seed);
  const loop = new CrashLoop(lab, () => runMs, { printsEveryMs: 300 });
  await lab.timers.pass(afterMs);
  const first = firstOf(lab.api.stored(LAB_PATHS.pods)[0]);
  const request = {
    observation: { atMs: lab.timers.nowMs(), atBasis: "server-clock" as const, pods: [first] },
    ...{ first, kubelet: {}, container: "app", isNow: false, goal: "exit" as const, mostLogBytes: MIB },
    ...{ timeoutMs: Number.POSITIVE_INFINITY, whenInterrupted: new Promise<void>(() => {}) },
    ...{ onFrame: () => {}, onWaiting: () => {}, onBegun: () => {} },
    ...{ isReplacement: false, willBeReplaced: false },
  };
  let caught: Caught | null = null;
  const ended = new RunCatcher(lab.api.connection(), request, lab.timers).run().then((result) => {
    if (result !== "deleted") caught = result;
  });
  for (let second = 0; second < 30 * 60 && caught === null; second++) {
    await lab.timers.pass(S);
    trouble(lab);
  }
  await ended;
  return { lab, loop, caught: caught as unknown as Caught };
}

function breaks(share: number): (lab: PodLab) => void {
  return ({ api, timers }) =>
    api.each((pipe) => {
      const drawn = timers.random();
      if (drawn < share / 3) pipe.stall();
      else if (drawn < (2 * share) / 3) pipe.cutInLine();
      else if (drawn < share) pipe.end(failure("unreachable", 0));
    });
}

function outages({ api, timers }: PodLab): void {
  if (api.refusal === null && timers.random() < 1 / 60) {
    api.refusal = failure("unreachable", 0);
    api.each((pipe) => pipe.end(failure("unreachable", 0)));
  } else if (timers.random() < 1 / 8) api.refusal = null;
}

describe("a catch in virtual time", () => {
  const seeds = [1, 2, 3, 4, 5];
  it.each([
    ...[0, 2 * S, 40 * S].map((runMs) => ({ runMs, what: "nothing breaks", trouble: () => {} })),
    ...[2 * S, 40 * S].map((runMs) => ({ runMs, what: "connections break", trouble: breaks(0.2) })),
    ...[2 * S, 40 * S, 200 * S].map((runMs) => ({
      runMs,
      what: "the API server is unreachable for a while",
      trouble: outages,
    })),
  ])("contains each line of a run of $runMs ms exactly once if $what", async ({ runMs, trouble }) => {
    for (const seed of seeds) {
      const { lab, loop, caught } = await caughtIn(runMs, seed, trouble);
      const { run, log, ended } = caught.catch;
      const id = loop.containerID(run?.start ?? -1);
      expect({ ended, ...log }, `seed ${seed}`).toMatchObject({ ended: "exited", isComplete: true, missing: null });
      expect(log.lines.map(({ text }) => text)).toEqual(lab.api.logs.written(id));
      expect(log.lines.length).toBeGreaterThan(runMs / 400);
      expect(run).toMatchObject({ finishedAtMs: loop.runs[run?.start ?? -1]?.finishedAtMs });
      expect([lab.api.open, lab.timers.pending - 1]).toEqual([0, loop.isDown ? 0 : 1]);
    }
  });

  it("records the second run, which follows the first one immediately", async () => {
    const { caught } = await caughtIn(2 * S, 1, () => {}, S);
    expect(caught.catch.run?.start).toBe(1);
    const lines = Array.from({ length: 7 }, (_, index) => `run 1, line ${index}`);
    expect(caught.catch.log.lines.map(({ text }) => text)).toEqual([...lines, "exits"]);
  });
});
